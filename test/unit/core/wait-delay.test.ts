import { describe, expect, it } from 'vitest'
import { waitDelayMs } from '../../../src/core/wait-delay.ts'

describe('waitDelayMs', () => {
  it('doubles from 2 s to 30 s, however often it was waited', () => {
    const almostOne = 1 - Number.EPSILON
    const waits = [1, 2, 3, 4, 5, 6, 5_000].map((attempt) => waitDelayMs(attempt, almostOne))
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
  })

  it('B28: is spread over its upper half, so that callers who were refused together come back apart', () => {
    expect([1, 5].map((attempt) => waitDelayMs(attempt, 0))).toEqual([1_000, 15_000])
  })
})
