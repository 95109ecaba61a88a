import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dealWhole, divide, fairParts } from '../../../../src/core/limiter/share-rate.ts'
import type { Priority } from '../../../../src/core/limiter/protocol.ts'
import { LimiterAt } from './limiter-at.ts'

const claim = (want: number, priority: Priority = 'normal', weight = 1) => ({
  want,
  weight,
  priority,
})
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

describe('of a full domain', () => {
  it('projects of one priority get parts by weight', () => {
    expect(divide(100, [claim(500, 'normal', 3), claim(500)])).toEqual([75, 25])
  })

  it('a higher priority gets all but a tenth, whatever its weight', () => {
    expect(divide(100, [claim(500, 'interactive'), claim(500, 'normal', 50)])).toEqual([90, 10])
    expect(divide(100, [claim(500), claim(500, 'background')])).toEqual([90, 10])
  })

  it('every lower priority keeps a tenth, the one in the middle too', () => {
    const claims = [claim(500, 'background'), claim(500), claim(500, 'interactive')]
    expect(divide(100, claims)).toEqual([10, 10, 80])
  })

  it('a run of high priority goes before others, and after who waits at a screen', () => {
    const claims = [
      claim(500, 'high'),
      claim(500),
      claim(20, 'interactive'),
      claim(500, 'background'),
    ]
    expect(divide(100, claims)).toEqual([60, 10, 20, 10])
  })

  it('nothing is kept for a priority that wants nothing, nor more than it wants', () => {
    expect(divide(100, [claim(500, 'interactive'), claim(0)])).toEqual([100, 0])
    expect(divide(100, [claim(500, 'interactive'), claim(4)])).toEqual([96, 4])
  })

  it('what a higher priority leaves over is for the others', () => {
    expect(divide(100, [claim(20, 'interactive'), claim(500)])).toEqual([20, 80])
  })
})

it('nothing starves, nothing is lost, nobody gets more than they want', () => {
  const claims = fc.array(
    fc.record({
      want: fc.nat(80),
      weight: fc.integer({ min: 1, max: 9 }),
      priority: fc.constantFrom<Priority>('interactive', 'normal', 'background'),
    }),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(fc.nat(200), claims, (permits, wanted) => {
      const wantedOf = (priority: Priority) =>
        sum(wanted.filter((one) => one.priority === priority).map(({ want }) => want))
      const exact = divide(permits, wanted)
      for (const priority of ['interactive', 'normal', 'background'] as const) {
        const got = sum(exact.filter((_, index) => wanted[index]?.priority === priority))
        const kept = Math.min(wantedOf(priority), permits / 10)
        expect(got).toBeGreaterThanOrEqual(kept - 1e-9)
      }
      const nothing = wanted.map(() => 0)
      const { shares: whole } = dealWhole(permits, wanted, nothing)
      expect(sum(whole)).toBe(Math.min(permits, sum(wanted.map(({ want }) => want))))
      for (const [index, share] of whole.entries()) {
        expect(share).toBeLessThanOrEqual(wanted[index]?.want ?? 0)
      }
    }),
  )
})

it('what rounding takes from a project it gets with the next deal: one by one, permits alternate', () => {
  let owed: readonly number[] = [0, 0, 0]
  const claims = [claim(5, 'normal', 2), claim(5), claim(5)]
  const got = Array.from({ length: 8 }, () => {
    const deal = dealWhole(1, claims, owed)
    owed = deal.owed
    return deal.shares.indexOf(1)
  })
  expect(got.filter((index) => index === 0)).toHaveLength(4)
  expect(got.filter((index) => index === 1)).toHaveLength(2)
  expect(owed.map((permits) => Math.abs(permits)).every((permits) => permits < 1)).toBe(true)
})

describe('the part of a process', () => {
  const partsOf = (
    ...wants: readonly (readonly [string, string, number, Priority?, number?])[]
  ) => {
    const limiter = new LimiterAt({ maxRps: 10 })
    limiter.send({ kind: 'pause', request: { reason: 'so that everybody is known first' } })
    for (const worker of new Set(wants.map(([name]) => name))) {
      limiter.acquire(worker, 0, {
        wants: wants
          .filter(([name]) => name === worker)
          .map(([, project, permits, priority = 'normal', weight = 1]) => ({
            project,
            permits,
            priority,
            weight,
          })),
      })
    }
    return Object.fromEntries(fairParts(limiter.state, 10))
  }

  it('follows from the weights of the projects it works for', () => {
    const parts = partsOf(['a', 'big', 500, 'normal', 3], ['b', 'small', 500])
    expect(parts).toEqual({ a: 0.75, b: 0.25 })
  })

  it('does not grow because more processes work for the same project', () => {
    const parts = partsOf(['a', 'x', 500], ['b', 'x', 500], ['c', 'y', 500])
    expect(parts).toEqual({ a: 0.25, b: 0.25, c: 0.5 })
  })

  it('is what it wants and an even part of what is left over, where there is enough', () => {
    expect(partsOf(['a', 'x', 2], ['b', 'x', 6])).toEqual({ a: 0.4, b: 0.6 })
  })

  it('is a tenth at least, when others are waited for at a screen', () => {
    expect(partsOf(['a', 'x', 500, 'interactive'], ['b', 'x', 500])).toEqual({ a: 0.9, b: 0.1 })
  })

  it('is of the whole: all parts add up to it', () => {
    const want = fc.tuple(
      fc.constantFrom('a', 'b', 'c', 'd'),
      fc.constantFrom('x', 'y', 'z'),
      fc.integer({ min: 1, max: 200 }),
      fc.constantFrom<Priority>('interactive', 'normal', 'background'),
    )
    fc.assert(
      fc.property(fc.array(want, { minLength: 1, maxLength: 12 }), (wants) => {
        expect(sum(Object.values(partsOf(...wants)))).toBeCloseTo(1)
      }),
    )
  })
})
