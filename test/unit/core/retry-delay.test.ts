import { describe, expect, it } from 'vitest'
import { retryDelayMs } from '../../../src/core/retry-delay.ts'

describe('step 6: retryDelayMs', () => {
  it('waits 5 s, 30 s and 3 min on average, and 3 min from then on', () => {
    expect([1, 2, 3, 4, 99].map((attempt) => retryDelayMs(attempt, 0.5))).toEqual([
      5_000, 30_000, 180_000, 180_000, 180_000,
    ])
  })

  it('never comes near zero: half of the step at least', () => {
    expect([1, 2, 3].map((attempt) => retryDelayMs(attempt, 0))).toEqual([2_500, 15_000, 90_000])
  })

  it('spreads callers that failed together over a whole step', () => {
    const almostOne = 1 - Number.EPSILON
    for (const [attempt, stepMs] of [5_000, 30_000, 180_000].entries()) {
      expect(retryDelayMs(attempt + 1, almostOne) - retryDelayMs(attempt + 1, 0)).toBe(stepMs)
    }
  })
})
