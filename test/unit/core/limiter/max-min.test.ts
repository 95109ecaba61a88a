import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maxMin, wholeShares } from '../../../../src/core/limiter/max-min.ts'

const claims = (wants: number[], weights: number[] = []) =>
  wants.map((want, index) => ({ want, weight: weights[index] ?? 1 }))

const maxMinWhole = (permits: number, wanted: Parameters<typeof maxMin>[1]) =>
  wholeShares(permits, wanted, maxMin(permits, wanted))

describe('max-min fairness gives the published shares (Doorman, FAIR_SHARE)', () => {
  it.each([
    [120, [1000, 60, 10], [], [55, 55, 10]],
    [120, [1000, 50, 10], [], [60, 50, 10]],
    [120, [1000, 500, 200], [6, 4, 2], [60, 40, 20]],
    [1000, [2000, 500, 700], [10, 10, 30], [200, 200, 600]],
  ])('%i among wants %j of weights %j', (capacity, wants, weights, shares) => {
    expect(maxMin(capacity, claims(wants, weights))).toEqual(shares)
  })
})

it('gives everybody everything when there is enough, and nothing of nothing', () => {
  expect(maxMin(100, claims([1, 2, 0]))).toEqual([1, 2, 0])
  expect(maxMin(0, claims([1, 2]))).toEqual([0, 0])
  expect(maxMin(10, [])).toEqual([])
})

it('whole permits are all given out, to nobody more than they want', () => {
  const claim = fc.record({ want: fc.nat(50), weight: fc.integer({ min: 1, max: 9 }) })
  fc.assert(
    fc.property(fc.nat(200), fc.array(claim, { maxLength: 12 }), (permits, wanted) => {
      const shares = maxMinWhole(permits, wanted)
      const total = wanted.reduce((sum, { want }) => sum + want, 0)
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(Math.min(permits, total))
      for (const [index, share] of shares.entries()) {
        expect(share).toBeLessThanOrEqual(wanted[index]?.want ?? 0)
        expect(Number.isInteger(share)).toBe(true)
      }
    }),
  )
})

it('one permit goes to one of two equals', () => {
  expect(maxMinWhole(1, claims([5, 5]))).toEqual([1, 0])
})
