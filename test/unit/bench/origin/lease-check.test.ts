import { describe, expect, test } from 'vitest'
import {
  safeModeAllowance,
  sentOnNoAuthority,
  sentWithoutLease,
} from '../../../../bench/origin/lease-check.ts'

const lease = (worker: string, permits: number, fromMs: number, toMs: number) => ({
  worker,
  permits,
  fromMs,
  toMs,
})
const sent = (worker: string, ...instants: readonly number[]) =>
  instants.map((atMs) => ({ worker, atMs }))

describe('a request has a lease', () => {
  test('of its own process, while that lives, and each permit once', () => {
    const leases = [lease('a', 2, 1_000, 3_000)]
    expect(sentWithoutLease(sent('a', 1_000, 2_999), leases, 0)).toEqual([])
    expect(sentWithoutLease(sent('b', 1_500), leases, 0)).toEqual(sent('b', 1_500))
    expect(sentWithoutLease(sent('a', 999, 3_000), leases, 0)).toEqual(sent('a', 999, 3_000))
    expect(sentWithoutLease(sent('a', 1_100, 1_200, 1_300), leases, 0)).toEqual(sent('a', 1_300))
  })

  test('that ends first, so that a longer one is left for later requests', () => {
    const leases = [lease('a', 1, 0, 9_000), lease('a', 1, 0, 1_000)]
    expect(sentWithoutLease(sent('a', 500, 8_000), leases, 0)).toEqual([])
  })

  test('also when messages took a while', () => {
    const leases = [lease('a', 2, 1_000, 2_000)]
    expect(sentWithoutLease(sent('a', 700, 2_200), leases, 300)).toEqual([])
    expect(sentWithoutLease(sent('a', 600, 2_400), leases, 300)).toHaveLength(2)
  })
})

describe('what a process may send when the limiter is silent', () => {
  test('is nothing in the first four seconds', () => {
    expect(safeModeAllowance({ fromMs: 0, toMs: 3_999, safeRate: 100 })).toBe(0)
  })

  test('is its safe rate then, and half of it after half a minute and what noticing takes', () => {
    expect(safeModeAllowance({ fromMs: 0, toMs: 14_000, safeRate: 2 })).toBe(21)
    expect(safeModeAllowance({ fromMs: 0, toMs: 35_000, safeRate: 2 })).toBe(63)
    expect(safeModeAllowance({ fromMs: 0, toMs: 45_000, safeRate: 2 })).toBe(73)
  })

  test('counts as lawful only in that time, and only so much of it', () => {
    const silences = new Map([['a', { fromMs: 0, toMs: 14_000, safeRate: 0.2 }]])
    expect(sentOnNoAuthority(sent('a', 5_000, 9_000, 13_000), silences, 0)).toBe(0)
    expect(sentOnNoAuthority(sent('a', 5_000, 6_000, 7_000, 8_000), silences, 0)).toBe(1)
    expect(sentOnNoAuthority(sent('a', 3_000, 15_000), silences, 0)).toBe(2)
    expect(sentOnNoAuthority(sent('b', 5_000), silences, 0)).toBe(1)
  })
})
