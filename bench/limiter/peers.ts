/**
 * What others reach on the same origins: use % / refusals per 1000 (research/limiter.md §3.8: 8 workers,
 * one holder at a time, from 300 s to 1200 s; CUBIC as in AWS's SDKs, stepped per slot).
 */
import type { OriginName } from './origins/catalogue.ts'

export interface PeerResults {
  /** +0.05 per response, halved by a refusal: the source document's. */
  readonly aimd: string
  /** +0.2 per second, × 0.9. */
  readonly mildAimd: string
  readonly cubic: string
  /** Our own prototype of `adaptive`. */
  readonly prototype: string
}

const published: Partial<Record<OriginName, PeerResults>> = {
  O1: { aimd: '87.6 / 3.8', mildAimd: '97.6 / 4.3', cubic: '82 / 15', prototype: '99.1 / 0.8' },
  O2: { aimd: '67.9 / 4.2', mildAimd: '84.9 / 4.8', cubic: '45 / 15', prototype: '95.4 / 0.5' },
  O3: { aimd: '84.8 / 15', mildAimd: '88.8 / 42', cubic: '78 / 37', prototype: '97.3 / 3.9' },
  O4: { aimd: '79.0 / 68', mildAimd: '87.0 / 293', cubic: '80 / 232', prototype: '97.8 / 11' },
  O5: { aimd: '97.7 / 3.0', mildAimd: '100.0 / 0.8', cubic: '94 / 14', prototype: '100.0 / 0.5' },
  O6: { aimd: '47.8 / 13', mildAimd: '94.8 / 8.8', cubic: '100 / 37', prototype: '99.3 / 0.5' },
  O7: { aimd: '70.8 / 7.1', mildAimd: '89.7 / 6.0', cubic: '66 / 28', prototype: '96.4 / 0.5' },
  O8: { aimd: '82.8 / 4.9', mildAimd: '90.8 / 4.8', cubic: '81 / 29', prototype: '98.2 / 0.2' },
}

export function peersOf(story: string): PeerResults | undefined {
  return Object.entries(published).find(([name]) => name === story)?.[1]
}
