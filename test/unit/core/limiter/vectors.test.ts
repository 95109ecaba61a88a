/**
 * The outside test vectors V1–V16 (research/limiter.md §2.1): numbers other projects publish for their limiters.
 *
 * Most stand beside what they test (`cubic`, `retry-quota`, `error-window`, `circuit-breaker`, `latency`); here are the rest,
 * what of them does not apply to this limiter and why, and a check that none is forgotten.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cubic, cubicStart } from '../../../../src/core/limiter/cubic.ts'
import { perLease } from '../../../../src/core/limiter/current-rate.ts'
import {
  holdLease,
  loseMissed,
  nextPermitMs,
  takePermit,
  type HeldLease,
} from '../../../../src/core/limiter/held-lease.ts'
import { maxMin } from '../../../../src/core/limiter/max-min.ts'
import { defaultPolicy } from '../../../../src/core/limiter/policy.ts'
import { retryAfterMs } from '../../../../src/core/retry-after.ts'

/** What of a vector does not apply here. Those without an entry apply as a whole. */
const notApplicable: Readonly<Record<string, string>> = {
  V6: 'Capacity in seconds of the rate: the bucket here is a schedule of leases, so only its instants, its one permit at least and its floor have a counterpart.',
  V8: 'The list of delays: repeats here come after 5 s, 30 s and 3 min (DESIGN §3, retry-delay.ts). The old costs: only those of 2026 are built.',
  V9: 'The clamp to five seconds above the own delay: a wait the server asks for is obeyed as it is, up to an hour (research/limiter.md §3.6), so 10,000 ms stay 10,000 ms.',
  V10: 'Proportional share and first come first served: max-min is the rule here. Learning mode: a limiter restores its leases instead. The store and safe capacity: see the invariants of leases and `safe-rate`.',
  V11: 'The first call, allowed because nothing is assigned yet: a process that was never told a rate sends nothing here.',
  V12: 'A leaky bucket of ten answers "how many are left" and lets ten go at once; leases lie end to end on a schedule, so nothing is saved up to be left. Negative hits are the unused permits of a report.',
  V13: 'A delay derived from latency: latency alone never changes a rate here (research/limiter.md §3.4 E9), and the rule never settles (§1.4).',
  V14: 'AIMD and Vegas limits of requests in flight: here the rate is learned, and what is in flight follows from it (Little). The step after the warm-up: 1/100 here, 2/101 there.',
}
const withoutTest = ['V12', 'V13']

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
    expect(cubic.rate(cubic.onRefusal(state, { ...situation, streak: 1 }), policy)).toBe(0.2)
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

it('V11 one permit, thirty a minute: allow, allow, deny, allow, deny', () => {
  const moments = [0, 2_000, 2_000, 4_000, 4_000]
  expect(allowed(spaced(2_000, 0), moments)).toEqual([true, true, false, true, false])
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

describe('none of V1–V16 is forgotten', () => {
  const tested = new Set(
    readdirSync(import.meta.dirname)
      .filter((file) => file.endsWith('.test.ts'))
      .flatMap((file) => readFileSync(join(import.meta.dirname, file), 'utf8').split('\n'))
      .filter((line) => /\b(it|describe)\(|\]\)\(|\] as const\)\(/.test(line))
      .flatMap((line) => /['"`](V\d+) /.exec(line)?.[1] ?? []),
  )

  it.each(Array.from({ length: 16 }, (_, index) => `V${index + 1}`))('%s', (name) => {
    expect(tested.has(name)).toBe(!withoutTest.includes(name))
    expect(tested.has(name) || name in notApplicable).toBe(true)
  })

  it('and what does not apply is one of them', () => {
    for (const name of Object.keys(notApplicable)) expect(name).toMatch(/^V([1-9]|1[0-6])$/)
  })
})
