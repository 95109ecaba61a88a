import { expect, test } from 'vitest'
import { originCase, originNames } from '../../../../../bench/limiter/origins/catalogue.ts'
import { concurrency } from '../../../../../bench/limiter/origins/concurrency.ts'
import { silentOrigin, type Origin } from '../../../../../bench/limiter/origins/origin.ts'
import { tokenBucket } from '../../../../../bench/limiter/origins/token-bucket.ts'
import { refusedConnection, troubled } from '../../../../../bench/limiter/origins/troubled.ts'
import { fixedWindow, slidingWindow } from '../../../../../bench/limiter/origins/windows.ts'
import { seededRandom } from '../../../../../bench/limiter/seeded-random.ts'

const talkative = { retryAfter: true, rateLimit: true }

test('a bucket accepts what it has saved up, and then its rate', () => {
  const origin = tokenBucket({ rateAt: () => 20, burstS: 0.1 }, silentOrigin)
  expect(kinds(origin, [0, 0, 0, 50, 51, 10_000, 10_000, 10_000])).toEqual([
    'ok',
    'ok',
    'throttled',
    'ok',
    'throttled',
    'ok',
    'ok',
    'throttled',
  ])
})

test('a fixed window starts anew at its multiples', () => {
  const origin = fixedWindow({ quota: 2, windowMs: 1_000 }, silentOrigin)
  expect(kinds(origin, [900, 950, 999, 1_000, 1_001, 1_002])).toEqual([
    'ok',
    'ok',
    'throttled',
    'ok',
    'ok',
    'throttled',
  ])
})

test('a sliding window looks back over its length', () => {
  const origin = slidingWindow({ quota: 2, windowMs: 1_000 }, silentOrigin)
  expect(kinds(origin, [0, 900, 999, 1_000, 1_899, 1_900])).toEqual([
    'ok',
    'ok',
    'throttled',
    'ok',
    'throttled',
    'ok',
  ])
})

test('a talkative origin names its limit, and how long to wait in whole seconds', () => {
  const origin = fixedWindow({ quota: 1, windowMs: 10_000 }, talkative)
  expect(origin.arrive(2_500).outcome).toEqual({
    kind: 'ok',
    published: [{ quota: 1, windowMs: 10_000, remaining: 0, resetMs: 8_000 }],
  })
  expect(origin.arrive(2_600).outcome).toMatchObject({ kind: 'throttled', retryAfterMs: 8_000 })
})

test('hands that are all busy let others wait, and the longest queue is an error', () => {
  const origin = concurrency({ hands: 2, serviceMs: () => 200, longestQueueMs: 300 })
  const answers = Array.from({ length: 5 }, () => origin.arrive(0))
  expect(answers.map(({ serviceMs }) => serviceMs)).toEqual([200, 200, 400, 400, 5])
  expect(answers.at(-1)?.outcome.kind).toBe('overload')
  expect(origin.rateAt(0)).toBe(10)
})

test('nothing can be accepted while an origin is in trouble', () => {
  const well = tokenBucket({ rateAt: () => 20, burstS: 1 }, silentOrigin)
  const origin = troubled(well, [{ fromMs: 100, toMs: 200, answer: refusedConnection }])
  expect(kinds(origin, [99, 100, 199, 200])).toEqual(['ok', 'failed', 'failed', 'ok'])
  expect([99, 150, 200].map((ms) => origin.rateAt(ms))).toEqual([20, 0, 20])
})

test.each(originNames)(
  '%s accepts no more than it says it can, plus what it has saved up',
  (name) => {
    const origin = originCase(name).build(seededRandom(1, 'origin'), silentOrigin)
    let units = 0
    for (let ms = 0; ms < 600_000; ms += 10) units += origin.arrive(ms).units
    let most = 0
    for (let ms = 0; ms < 600_000; ms += 1_000) most += origin.rateAt(ms)
    expect(units).toBeLessThanOrEqual(most + 125)
    expect(units).toBeGreaterThan(0.95 * most)
  },
)

function kinds(origin: Origin, instants: readonly number[]): readonly string[] {
  return instants.map((ms) => origin.arrive(ms).outcome.kind)
}
