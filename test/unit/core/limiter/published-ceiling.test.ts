import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { PublishedLimit } from '../../../../src/core/limiter/protocol.ts'
import { ceilingOf } from '../../../../src/core/limiter/published-ceiling.ts'

it('a policy of 200 a minute allows a hundredth less than that', () => {
  expect(ceilingOf([{ quota: 200, windowMs: 60_000 }], 5_000)).toEqual({
    rps: (0.99 * 200) / 60,
    untilMs: 65_000,
  })
})

it('the strictest of several policies holds', () => {
  const limits = [
    { quota: 10, windowMs: 1_000 },
    { quota: 3_600, windowMs: 3_600_000 },
  ]
  expect(ceilingOf(limits, 0)?.rps).toBeCloseTo(0.99, 9)
})

it("much left shortly before a reset is no rate (the trap in the IETF draft's own example)", () => {
  const limit = { quota: 10_000, windowMs: 1_000_000, remaining: 10_000, resetMs: 10_000 }
  expect(ceilingOf([limit], 0)?.rps).toBeCloseTo(9.9, 9)
})

it('little left long before a reset is a rate until then', () => {
  const limit = { quota: 200, windowMs: 60_000, remaining: 20, resetMs: 40_000 }
  expect(ceilingOf([limit], 1_000)).toEqual({ rps: 0.99 / 2, untilMs: 41_000 })
})

it('what is left counts without a policy too (`X-RateLimit-Remaining` and `-Reset`)', () => {
  const limit = { quota: 0, windowMs: 0, remaining: 30, resetMs: 60_000 }
  expect(ceilingOf([limit], 0)?.rps).toBeCloseTo(0.495, 9)
})

it('with nothing left one request fits: the one at the reset', () => {
  const limit = { quota: 100, windowMs: 60_000, remaining: 0, resetMs: 30_000 }
  expect(ceilingOf([limit], 0)).toEqual({ rps: 0.99 / 30, untilMs: 30_000 })
})

it('a server that falls silent is believed for a minute to an hour', () => {
  expect(ceilingOf([{ quota: 5, windowMs: 1_000 }], 0)?.untilMs).toBe(60_000)
  expect(ceilingOf([{ quota: 5_000, windowMs: 86_400_000 }], 0)?.untilMs).toBe(3_600_000)
  const tenYears = { quota: 0, windowMs: 0, remaining: 1, resetMs: 315_360_000_000 }
  expect(ceilingOf([tenYears], 0)?.untilMs).toBe(3_600_000)
})

it('no limit, or none that names a rate, is no ceiling', () => {
  expect(ceilingOf([], 0)).toBeNull()
  expect(ceilingOf([{ quota: 0, windowMs: 0 }], 0)).toBeNull()
  expect(ceilingOf([{ quota: 10, windowMs: 0 }], 0)).toBeNull()
  expect(ceilingOf([{ quota: 0, windowMs: 0, remaining: 5 }], 0)).toBeNull()
  expect(ceilingOf([{ quota: 0, windowMs: 0, remaining: 5, resetMs: 0 }], 0)).toBeNull()
})

it('whatever is published: a rate above 0, within every policy, and some time to believe it', () => {
  const limit: fc.Arbitrary<PublishedLimit> = fc.record(
    {
      quota: fc.nat(1_000_000),
      windowMs: fc.nat(86_400_000),
      remaining: fc.nat(1_000_000),
      resetMs: fc.nat(86_400_000),
    },
    { requiredKeys: ['quota', 'windowMs'] },
  )
  fc.assert(
    fc.property(fc.array(limit, { maxLength: 4 }), fc.nat(1e9), (limits, nowMs) => {
      const ceiling = ceilingOf(limits, nowMs)
      const policies = limits.filter(({ quota, windowMs }) => quota > 0 && windowMs > 0)
      const { rps, untilMs } = ceiling ?? { rps: Infinity, untilMs: Infinity }
      expect(rps).toBeGreaterThan(0)
      expect(untilMs).toBeGreaterThan(nowMs)
      for (const { quota, windowMs } of policies) {
        expect(rps).toBeLessThanOrEqual((quota * 1000) / windowMs)
      }
    }),
  )
})
