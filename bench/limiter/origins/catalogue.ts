/** The twelve origins of the acceptance (research/limiter.md §3.10). */
import type { DomainPolicy } from '../../../src/core/limiter/policy.ts'
import type { Random } from '../seeded-random.ts'
import { concurrency } from './concurrency.ts'
import type { BuildOrigin } from './origin.ts'
import { processingMeter } from './processing-meter.ts'
import { tokenBucket } from './token-bucket.ts'
import { maxlag, troubled } from './troubled.ts'
import { fixedWindow, slidingWindow } from './windows.ts'

export const originNames = [
  'O1',
  'O2',
  'O3',
  'O4',
  'O5',
  'O6',
  'O7',
  'O8',
  'O9',
  'O10',
  'O11',
  'O12',
] as const

export type OriginName = (typeof originNames)[number]

export interface OriginCase {
  readonly title: string
  readonly build: BuildOrigin
  /** What an operator would have set for it. */
  readonly policy?: Partial<DomainPolicy>
}

const MINUTE_MS = 60_000
/** Origins with chance in them are laid out so far ahead. */
const MINUTES = 300

const origins: Readonly<Record<OriginName, OriginCase>> = {
  O1: bucket(20, 20),
  O2: bucket(20, 2),
  O3: bucket(5, 5),
  O4: bucket(1, 1.5),
  O5: bucket(50, 100),
  O6: {
    title: 'fixed 1200 per 60 s',
    build: (_, speech) => fixedWindow({ quota: 1200, windowMs: 60_000 }, speech),
  },
  O7: {
    title: 'fixed 20 per 1 s',
    build: (_, speech) => fixedWindow({ quota: 20, windowMs: 1_000 }, speech),
  },
  O8: {
    title: 'sliding 200 per 10 s',
    build: (_, speech) => slidingWindow({ quota: 200, windowMs: 10_000 }, speech),
  },
  O9: {
    title: 'concurrency 4, 200 ms',
    build: () => concurrency({ hands: 4, serviceMs: () => 200, longestQueueMs: 5_000 }),
  },
  O10: {
    title: 'maxlag in 10 % of minutes',
    build: (random, speech) => {
      const bucketOf20 = tokenBucket({ rateAt: () => 20, burstS: 1 }, speech)
      const troubles = tens(random).map((minute) => ({
        fromMs: minute * MINUTE_MS,
        toMs: (minute + 1) * MINUTE_MS,
        answer: maxlag,
      }))
      return troubled(bucketOf20, troubles)
    },
  },
  O11: {
    title: 'processing 60 s per 60 s',
    build: (random, speech) => processingMeter(random, speech),
    policy: { costPerSecond: 1, costBurst: 60 },
  },
  O12: {
    title: 'noisy neighbour, 0-50 % of 20/s',
    build: (random, speech) => {
      const taken = Array.from({ length: MINUTES }, () => Math.max(0, random() - 0.5))
      const rateAt = (nowMs: number): number =>
        20 * (1 - (taken[Math.floor(nowMs / MINUTE_MS)] ?? 0))
      return tokenBucket({ rateAt, burstS: 1 }, speech)
    },
  },
}

export function originCase(name: OriginName): OriginCase {
  return origins[name]
}

function bucket(rate: number, capacity: number): OriginCase {
  return {
    title: `bucket ${rate}/s, cap ${capacity}`,
    build: (_, speech) => tokenBucket({ rateAt: () => rate, burstS: capacity / rate }, speech),
  }
}

/** One minute of each ten, none of them before the limiter has found its rate. */
function tens(random: Random): number[] {
  return Array.from({ length: MINUTES / 10 }, (_, ten) => 10 * ten + 2 + Math.floor(8 * random()))
}
