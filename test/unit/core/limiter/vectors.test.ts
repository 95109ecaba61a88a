/**
 * The outside test vectors V1–V16 (research/limiter.md §2.1): numbers other projects publish for their limiters.
 *
 * Most stand beside what they test (`cubic`, `retry-quota`, `error-window`, `circuit-breaker`, `latency`); here are the rest.
 * What of them does not apply, and why, stands in `cases.test.ts`.
 */
import { describe, expect, it } from 'vitest'
import { cubic, cubicStart } from '../../../../src/core/limiter/cubic.ts'
import { perLease, tokensOf } from '../../../../src/core/limiter/current-rate.ts'
import {
  holdLease,
  loseMissed,
  nextPermitMs,
  takePermit,
  type HeldLease,
} from '../../../../src/core/limiter/held-lease.ts'
import { maxMin } from '../../../../src/core/limiter/max-min.ts'
import { defaultPolicy, type DomainPolicy } from '../../../../src/core/limiter/policy.ts'
import { retryAfterMs } from '../../../../src/core/retry-after.ts'
import { LimiterAt } from './limiter-at.ts'

const spaced = (spacingMs: number, firstDelayMs: number): HeldLease => {
  const grant = { granted: true, leaseId: 'x-1', epoch: 0, permits: 100, shares: [] } as const
  const times = { spacingMs, firstDelayMs, ttlMs: 600_000, renewAfterMs: 1, safeRate: 1 }
  return holdLease({ ...grant, ...times, inFlightCap: 9 }, 0, 0, 0)
}

/** Whether somebody who comes at each of these moments gets a permit at once. */
function allowed(lease: HeldLease, momentsMs: readonly number[]): boolean[] {
  let held = lease
  return momentsMs.map((nowMs) => {
    held = loseMissed(held, nowMs).lease
    if (nextPermitMs(held, nowMs) !== nowMs) return false
    held = takePermit(held, 'project')
    return true
  })
}

describe('V6 ten a second', () => {
  it('a permit after 100 ms, none at 150 ms, the next at 200 ms', () => {
    expect(allowed(spaced(100, 100), [100, 150, 200])).toEqual([true, false, true])
  })

  it('set to 0.5 a second one permit still fits', () => {
    expect(perLease(0.5, defaultPolicy('example.org'))).toBe(1)
  })

  it('set to 0.1 with a floor of 0.2 it is 0.2', () => {
    const policy = { ...defaultPolicy('example.org'), minRps: 0.2 }
    const situation = { policy, nowMs: 1_000, isSlow: false, ceilingRps: null }
    const learned = { ...cubicStart(0.2, 0), rps: 0.1 / 0.7, wasRefused: true }
    const state = { ...cubic.start(situation), ...learned }
    expect(
      cubic.rate(cubic.onRefusal(state, { ...situation, streak: 1, askedMs: 0 }), policy),
    ).toBe(0.2)
  })
})

describe('V9 waits asked for in ms', () => {
  it.each([
    ['1500', 1_500],
    ['0', undefined],
    ['10000', 10_000],
    ['invalid', undefined],
    ['-100', undefined],
  ])('%s gives %s (undefined: our own back-off)', (value, expected) => {
    expect(retryAfterMs({ 'x-amz-retry-after': value }, 0)).toBe(expected)
  })
})

describe('V10 fair shares', () => {
  it.each([
    [120, [1000, 60, 10], [1, 1, 1], [55, 55, 10]],
    [120, [1000, 50, 10], [1, 1, 1], [60, 50, 10]],
    [120, [1000, 500, 200], [6, 4, 2], [60, 40, 20]],
    [1000, [2000, 500, 700], [10, 10, 30], [200, 200, 600]],
  ])('of %i among wants %j of weights %j are %j', (capacity, wants, weights, shares) => {
    const claims = wants.map((want, index) => ({ want, weight: weights[index] ?? 1 }))
    expect(maxMin(capacity, claims)).toEqual(shares)
  })
})

describe('V10 safe capacity', () => {
  const safeRates = (policy: Partial<DomainPolicy>) => {
    const limiter = new LimiterAt(policy)
    return ['a', 'b', 'c', 'd'].map((worker) => limiter.acquire(worker, 1).safeRate)
  }

  it('of 100 a second is divided by the processes that are known; here four fifths of it are', () => {
    expect(safeRates({ maxRps: 100 })).toEqual([80, 40, 80 / 3, 20])
  })

  it('is half of it while the rate is still being searched', () => {
    const searching = { strategy: 'adaptive', initialRps: 100, maxRps: 1000 } as const
    expect(safeRates(searching)).toEqual([50, 25, 50 / 3, 12.5])
  })
})

it('V11 one permit, thirty a minute: allow, allow, deny, allow, deny', () => {
  const moments = [0, 2_000, 2_000, 4_000, 4_000]
  expect(allowed(spaced(2_000, 0), moments)).toEqual([true, true, false, true, false])
})

describe('V12 two thousand in 1,000 ms', () => {
  it('lose nothing to a division: one request leaves 1 less, a hundred 100 less', () => {
    const limiter = new LimiterAt({ maxRps: 2000 })
    const full = tokensOf(limiter.state)
    expect(limiter.granted('a', 1).spacingMs).toBe(0.5)
    expect(full - tokensOf(limiter.state)).toBe(1)
    expect(limiter.granted('a', 100).spacingMs).toBe(0.5)
    expect(full - tokensOf(limiter.state)).toBe(101)
  })
})

describe('V14 partitions of 0.3 and 0.7', () => {
  it.each([
    [10, [10, 10], [3, 7]],
    [20, [20, 20], [6, 14]],
    [10, [0, 10], [0, 10]],
    [10, [10, 0], [10, 0]],
  ])('of %i, wanting %j, get %j: an idle part is lent', (capacity, wants, shares) => {
    const claims = [0.3, 0.7].map((weight, index) => ({ weight, want: wants[index] ?? 0 }))
    for (const [index, share] of maxMin(capacity, claims).entries()) {
      expect(share).toBeCloseTo(shares[index] ?? 0, 9)
    }
  })
})
