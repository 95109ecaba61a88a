import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PublishedLimit } from '../../../../src/core/limiter/protocol.ts'
import {
  ceilingAt,
  hearLimits,
  type Ceiling,
} from '../../../../src/core/limiter/published-ceiling.ts'

const hear = (limits: readonly PublishedLimit[], nowMs = 0, before: Ceiling | null = null) =>
  hearLimits(before, limits, nowMs)
const rpsOf = (limits: readonly PublishedLimit[]) => ceilingAt(hear(limits), 0)

/** Answers one after the other; requests per second allowed after each. */
function after(answers: readonly (readonly [atMs: number, limit: PublishedLimit])[]) {
  let ceiling: Ceiling | null = null
  return answers.map(([atMs, limit]) => {
    ceiling = hearLimits(ceiling, [limit], atMs)
    return ceilingAt(ceiling, atMs)
  })
}

it('a policy of 200 a minute allows a hundredth less than that', () => {
  expect(hear([{ quota: 200, windowMs: 60_000 }], 5_000)?.quota).toEqual({
    rps: expect.closeTo(3.3, 9),
    untilMs: 65_000,
  })
})

it('the strictest of several policies holds', () => {
  const limits = [
    { quota: 10, windowMs: 1_000 },
    { quota: 3_600, windowMs: 3_600_000 },
  ]
  expect(rpsOf(limits)).toBeCloseTo(0.99, 9)
})

it("much left shortly before a reset is no rate (the trap in the IETF draft's own example)", () => {
  const limit = { quota: 10_000, windowMs: 1_000_000, remaining: 10_000, resetMs: 10_000 }
  const [, later] = after([
    [0, limit],
    [4_000, { ...limit, resetMs: 6_000 }],
  ])
  expect(later).toBeCloseTo(9.9, 9)
})

describe('what is left', () => {
  const limit = { quota: 200, windowMs: 60_000, remaining: 30, resetMs: 44_000 }
  const quotaRps = (0.99 * 200) / 60

  it('little of it long before a reset that stands still is a rate until then', () => {
    const [first, second, reset] = after([
      [1_000, limit],
      [5_000, { ...limit, remaining: 20, resetMs: 40_000 }],
      [45_100, { quota: 200, windowMs: 60_000 }],
    ])
    expect(first).toBeCloseTo(quotaRps, 9)
    expect(second).toBeCloseTo(0.495, 9)
    expect(reset).toBeCloseTo(quotaRps, 9)
  })

  it('of a bucket, whose reset moves as we take from it, is no rate', () => {
    const answers = Array.from({ length: 30 }, (_, index) => {
      const atMs = index * 2_000
      return [atMs, { quota: 60, windowMs: 60_000, remaining: 3, resetMs: 57_000 }] as const
    })
    for (const rps of after(answers)) expect(rps).toBeCloseTo(0.99, 9)
  })

  it('that grows while the reset stands still is being filled up: no rate', () => {
    const [, later] = after([
      [0, limit],
      [4_000, { ...limit, remaining: 40, resetMs: 40_000 }],
    ])
    expect(later).toBeCloseTo(quotaRps, 9)
  })

  it('of a window of a second is over before a lease could follow it', () => {
    const small = { quota: 20, windowMs: 1_000, remaining: 1, resetMs: 1_000 }
    expect(after([[0, small]])).toEqual([19.8])
  })

  it('as much of it as an even use leaves slows nothing down, with a reset rounded up to seconds', () => {
    const answers = Array.from({ length: 28 }, (_, index) => {
      const atMs = index * 2_000 + 400
      const remaining = Math.floor(1200 - (19.8 * atMs) / 1000)
      const resetMs = Math.ceil((60_000 - atMs) / 1000) * 1000
      return [atMs, { quota: 1200, windowMs: 60_000, remaining, resetMs }] as const
    })
    for (const rps of after(answers)) expect(rps).toBeCloseTo(19.8, 9)
  })

  it('counts at once where no policy is named (`X-RateLimit-Remaining` and `-Reset`)', () => {
    expect(rpsOf([{ quota: 0, windowMs: 0, remaining: 30, resetMs: 60_000 }])).toBeCloseTo(0.495, 9)
  })

  it('when it is nothing, lets one request through: the one at the reset', () => {
    const [, later] = after([
      [0, { ...limit, remaining: 0 }],
      [4_000, { ...limit, remaining: 0, resetMs: 40_000 }],
    ])
    expect(later).toBeCloseTo(0.99 / 40, 9)
  })
})

it('a server that falls silent is believed for a minute to an hour', () => {
  expect(hear([{ quota: 5, windowMs: 1_000 }])?.quota?.untilMs).toBe(60_000)
  expect(hear([{ quota: 5_000, windowMs: 86_400_000 }])?.quota?.untilMs).toBe(3_600_000)
  const tenYears = { quota: 0, windowMs: 0, remaining: 1, resetMs: 315_360_000_000 }
  expect(hear([tenYears])?.left?.untilMs).toBe(3_600_000)
})

it('an answer that names nothing leaves what is known', () => {
  const known = hear([{ quota: 5, windowMs: 1_000 }])
  expect(hear([], 10, known)).toBe(known)
})

it('no limit, or none that names a rate, is no ceiling', () => {
  expect(rpsOf([])).toBeNull()
  expect(rpsOf([{ quota: 0, windowMs: 0 }])).toBeNull()
  expect(rpsOf([{ quota: 10, windowMs: 0 }])).toBeNull()
  expect(rpsOf([{ quota: 0, windowMs: 0, remaining: 5 }])).toBeNull()
  expect(rpsOf([{ quota: 0, windowMs: 0, remaining: 5, resetMs: 0 }])).toBeNull()
})

it('whatever is published: a rate above 0, and within every policy', () => {
  const limit: fc.Arbitrary<PublishedLimit> = fc.record(
    {
      quota: fc.nat(1_000_000),
      windowMs: fc.nat(86_400_000),
      remaining: fc.nat(1_000_000),
      resetMs: fc.nat(86_400_000),
    },
    { requiredKeys: ['quota', 'windowMs'] },
  )
  const answer = fc.tuple(fc.array(limit, { maxLength: 4 }), fc.nat(100_000))
  fc.assert(
    fc.property(fc.array(answer, { maxLength: 5 }), (answers) => {
      let ceiling: Ceiling | null = null
      let nowMs = 0
      for (const [limits, waitMs] of answers) {
        nowMs += waitMs
        ceiling = hearLimits(ceiling, limits, nowMs)
        const rps = ceilingAt(ceiling, nowMs) ?? Infinity
        expect(rps).toBeGreaterThan(0)
        const quotas = limits.filter(({ quota, windowMs }) => quota > 0 && windowMs > 0)
        for (const { quota, windowMs } of quotas) {
          expect(rps).toBeLessThanOrEqual((quota * 1000) / windowMs)
        }
      }
    }),
  )
})
