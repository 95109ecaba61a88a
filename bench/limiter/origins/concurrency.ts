/** A server with so many hands and a queue: it refuses nobody, it only gets slow. */
import { type Answer, type Origin } from './origin.ts'

export interface Concurrency {
  readonly hands: number
  /** Of one request in one hand, for a request that begins then. */
  readonly serviceMs: (nowMs: number) => number
  /** For `rateAt`, where service is left to chance. Default `serviceMs`. */
  readonly meanServiceMs?: (nowMs: number) => number
  /** A longer queue answers 503. */
  readonly longestQueueMs: number
}

const REJECTED: Answer = { outcome: { kind: 'overload' }, serviceMs: 5, units: 0 }

export function concurrency(options: Concurrency): Origin {
  const { hands, serviceMs, longestQueueMs, meanServiceMs = serviceMs } = options
  const freeMs = Array.from({ length: hands }, () => 0)
  return {
    rateAt: (nowMs) => (hands * 1000) / meanServiceMs(nowMs),
    arrive(nowMs) {
      const soonestMs = Math.min(...freeMs)
      const startMs = Math.max(nowMs, soonestMs)
      if (startMs - nowMs > longestQueueMs) return REJECTED
      const endMs = startMs + serviceMs(startMs)
      freeMs[freeMs.indexOf(soonestMs)] = endMs
      return { outcome: { kind: 'ok' }, serviceMs: endMs - nowMs, units: 1 }
    },
  }
}
