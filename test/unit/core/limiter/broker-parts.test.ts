/** The pure parts of a permit broker. */
import { describe, expect, it } from 'vitest'
import { nextTalk, type BrokerView } from '../../../../src/core/limiter/broker-agenda.ts'
import { comeback } from '../../../../src/core/limiter/comeback.ts'
import type { HeldLease } from '../../../../src/core/limiter/held-lease.ts'
import {
  countOutcome,
  countUnused,
  newTally,
  reportOf,
} from '../../../../src/core/limiter/report-tally.ts'
import { safeRateAfter } from '../../../../src/core/limiter/safe-rate.ts'
import {
  claimKey,
  nextInLine,
  placeInLine,
  type Claimant,
} from '../../../../src/core/limiter/waiting-line.ts'

/** Callers of these projects, in order; `!` before one that somebody waits for at a screen. */
const callers = (...names: readonly string[]): Claimant[] =>
  names.map((name) => ({
    project: name.replace('!', ''),
    priority: name.startsWith('!') ? 'interactive' : 'normal',
  }))
const caller = (name: string): Claimant => callers(name)[0] ?? { project: name, priority: 'normal' }

const heldWith = (shares: Record<string, number>, used: Record<string, number>): HeldLease => ({
  id: 'x-1',
  epoch: 0,
  permits: 9,
  shares: Object.entries(shares).map(([key, permits]) => ({ key, permits })),
  used,
  startMs: 0,
  spacingMs: 100,
  expiresMs: 4000,
  next: 0,
  returned: 0,
})

describe('the line', () => {
  it('takes eight callers', () => {
    const eight = callers('a', 'a', 'a', 'a', 'a', 'a', 'a', 'a')
    expect(placeInLine(eight.slice(1), caller('a'))).toEqual({ kind: 'join' })
    expect(placeInLine(eight, caller('a'))).toEqual({ kind: 'turn_away' })
  })

  it('makes room for a project that has fewer places', () => {
    const line = callers('a', 'a', 'b', 'a', 'a', 'a', 'b', 'a')
    expect(placeInLine(line, caller('c'))).toEqual({ kind: 'replace', index: 7 })
    expect(placeInLine(line, caller('b'))).toEqual({ kind: 'replace', index: 7 })
    const even = callers('a', 'b', 'a', 'b', 'a', 'b', 'a', 'b')
    expect(placeInLine(even, caller('b'))).toEqual({ kind: 'turn_away' })
  })

  it('has room for who is waited for at a screen, as long as somebody else can wait', () => {
    const line = callers('a', 'a', 'a', 'a', 'a', 'a', 'b', '!a')
    expect(placeInLine(line, caller('!a'))).toEqual({ kind: 'replace', index: 6 })
    const urgent = callers('!a', '!a', '!a', '!a', '!a', '!a', '!a', '!a')
    expect(placeInLine(urgent, caller('!a'))).toEqual({ kind: 'turn_away' })
    expect(placeInLine(urgent, caller('b'))).toEqual({ kind: 'turn_away' })
  })

  it('serves the project that has used the smallest part of its share', () => {
    const lease = (used: Record<string, number>) => heldWith({ a: 6, b: 3 }, used)
    expect(nextInLine(callers('a', 'b'), lease({ a: 3, b: 1 }))).toBe(1)
    expect(nextInLine(callers('a', 'b'), lease({ a: 1, b: 1 }))).toBe(0)
    expect(nextInLine(callers('c', 'b'), lease({ a: 1, b: 1 }))).toBe(1)
    expect(nextInLine(callers('b', 'a'), lease({ a: 2, b: 3 }))).toBe(1)
    expect(nextInLine(callers('c', 'd'), lease({}))).toBe(0)
  })

  it('serves the urgent first, but of ten permits one goes to the others', () => {
    let lease = heldWith({ 'interactive a': 50, a: 50 }, {})
    const served = Array.from({ length: 30 }, () => {
      const line = callers('a', '!a')
      const key = claimKey(line[nextInLine(line, lease)] ?? caller('a'))
      lease = { ...lease, used: { ...lease.used, [key]: (lease.used[key] ?? 0) + 1 } }
      return key
    })
    expect(served.filter((key) => key === 'a')).toHaveLength(3)
    expect(served.slice(0, 9).every((key) => key === 'interactive a')).toBe(true)
  })
})

describe('callers that are turned away', () => {
  it('come back one after the other, as fast as permits come', () => {
    let lastPromiseMs = -Infinity
    const delays = Array.from({ length: 4 }, () => {
      const promise = comeback(1000, 500, 2, lastPromiseMs, 60_000, 0)
      lastPromiseMs = promise.lastPromiseMs
      return promise.retryAfterMs
    })
    expect(delays).toEqual([500, 1000, 1500, 2000])
  })

  it('are never promised a time beyond the horizon', () => {
    expect(comeback(0, 500, 2, 10_000_000, 60_000, 0).retryAfterMs).toBe(60_500)
    expect(comeback(0, 0, 1e-9, -Infinity, 60_000, 0.99).retryAfterMs).toBeLessThan(60_001)
  })

  it('are spread over a tenth of a long wait', () => {
    expect(comeback(0, 120_000, 10, -Infinity, 60_000, 0.999).retryAfterMs).toBeGreaterThan(131_000)
  })
})

describe('without a limiter', () => {
  it('nothing is sent before a rate was named, nor while it may just be moving', () => {
    expect(safeRateAfter(undefined, 60_000)).toBe(0)
    expect(safeRateAfter(8, 3999)).toBe(0)
  })

  it('the rate halves every half minute, and ends after ten minutes', () => {
    expect([4000, 29_999, 30_000, 60_000].map((ms) => safeRateAfter(8, ms))).toEqual([8, 8, 4, 2])
    expect(safeRateAfter(8, 600_000)).toBe(0)
  })
})

describe('what a broker says next', () => {
  const nothing: BrokerView = {
    waiting: 0,
    permitsLeft: 0,
    inFlight: 0,
    untold: false,
    registered: false,
    lastCallerMs: -Infinity,
    lastTalkMs: -Infinity,
    renewAtMs: -Infinity,
    askNotBeforeMs: -Infinity,
    retryAtMs: -Infinity,
  }
  const busy = { ...nothing, lastCallerMs: 9900, lastTalkMs: 9000, registered: true }

  it('is nothing when nothing goes on', () => {
    expect(nextTalk(nothing, 10_000)).toBeNull()
  })

  it('is a request at once for the first caller', () => {
    const talk = nextTalk({ ...nothing, waiting: 1, lastCallerMs: 10_000 }, 10_000)
    expect(talk).toMatchObject({ kind: 'acquire' })
    expect(talk?.atMs).toBeLessThanOrEqual(10_000)
  })

  it('is a renewal before the lease runs out, and earlier when it ran out', () => {
    const renewing = { ...busy, waiting: 2, renewAtMs: 10_500, permitsLeft: 3 }
    expect(nextTalk(renewing, 10_000)).toEqual({ kind: 'acquire', atMs: 10_500 })
    expect(nextTalk({ ...renewing, permitsLeft: 0 }, 10_000)).toEqual({
      kind: 'acquire',
      atMs: 9100,
    })
  })

  it('waits as long as the limiter said, or until a failed message may be repeated', () => {
    const waiting = { ...busy, waiting: 2, registered: false }
    expect(nextTalk({ ...waiting, askNotBeforeMs: 12_000 }, 10_000)?.atMs).toBe(12_000)
    expect(nextTalk({ ...waiting, retryAtMs: 11_000 }, 10_000)?.atMs).toBe(11_000)
  })

  it('is a report every two seconds while a request is on its way', () => {
    expect(nextTalk({ ...nothing, inFlight: 1, lastTalkMs: 9000 }, 10_000)).toEqual({
      kind: 'acquire',
      atMs: 11_000,
    })
  })

  it('is a report at once when the leases are spent and every result is there', () => {
    const spent = { ...nothing, untold: true, lastCallerMs: 9990, lastTalkMs: 9990 }
    expect(nextTalk({ ...spent, renewAtMs: 12_000 }, 10_000)).toEqual({
      kind: 'acquire',
      atMs: 10_090,
    })
    expect(nextTalk({ ...spent, inFlight: 1, renewAtMs: 12_000 }, 10_000)?.atMs).toBe(11_990)
  })

  it('is a release once nobody came for a slot', () => {
    expect(nextTalk({ ...busy, renewAtMs: 20_000 }, 10_000)).toEqual({
      kind: 'release',
      atMs: 11_900,
    })
  })

  it('is never said more than ten times a second', () => {
    const pressing = { ...busy, waiting: 8, lastTalkMs: 9990, renewAtMs: 0 }
    expect(nextTalk(pressing, 10_000)?.atMs).toBe(10_090)
  })
})

describe('a report', () => {
  const plain = { hasWaited: false, isRetry: false }

  it('adds up what became of the permits', () => {
    let tally = newTally('x-1', 3, 2)
    for (const latencyMs of [100, 200, 300])
      tally = countOutcome(tally, { kind: 'ok', latencyMs }, plain, 0)
    tally = countOutcome(tally, { kind: 'overload', latencyMs: 9000 }, plain, 500)
    tally = countOutcome(
      tally,
      { kind: 'throttled', retryAfterMs: 4000 },
      { hasWaited: true, isRetry: true },
      600,
    )
    tally = countOutcome(tally, { kind: 'failed' }, { hasWaited: true, isRetry: false }, 700)
    tally = countOutcome(tally, { kind: 'cancelled' }, plain, 800)
    expect(reportOf(countUnused(tally, 7), 1000)).toEqual({
      leaseId: 'x-1',
      epoch: 3,
      sequence: 2,
      sent: 7,
      ok: 3,
      throttled: 1,
      overloaded: 1,
      failed: 1,
      neutral: 0,
      cancelled: 1,
      unused: 7,
      cost: 7,
      waited: 2,
      retries: 1,
      failuresInARow: 1,
      latency: { count: 3, meanMs: 200, p95Ms: 300, leastMs: 100 },
      throttledAgoMs: 400,
      retryAfterMs: 4000,
    })
  })

  it('adds up costs where requests do not all cost the same', () => {
    let tally = countOutcome(newTally('x-1', 0, 1), { kind: 'ok', cost: 2.5 }, plain, 0)
    tally = countOutcome(tally, { kind: 'ok', cost: 0 }, plain, 0)
    tally = countOutcome(tally, { kind: 'ok', cost: -3 }, plain, 0)
    expect(reportOf(tally, 0).cost).toBe(2.5)
  })

  it('carries the limits of the latest answer that named any, at most four', () => {
    const limits = (quota: number) => Array.from({ length: 5 }, () => ({ quota, windowMs: 1000 }))
    let tally = countOutcome(newTally('x-1', 0, 1), { kind: 'ok', published: limits(5) }, plain, 0)
    tally = countOutcome(tally, { kind: 'ok', published: limits(4) }, plain, 0)
    tally = countOutcome(tally, { kind: 'ok', published: [] }, plain, 0)
    expect(reportOf(tally, 0).published).toEqual(limits(4).slice(0, 4))
  })

  it('survives what no limiter would read: clocks that jumped, waits of centuries', () => {
    let tally = countOutcome(newTally('x-1', 0, 1), { kind: 'ok', latencyMs: Number.NaN }, plain, 0)
    tally = countOutcome(tally, { kind: 'ok', latencyMs: -5 }, plain, 0)
    tally = countOutcome(tally, { kind: 'throttled', retryAfterMs: 1e20 }, plain, 0)
    const report = reportOf(tally, 0)
    expect(report.latency).toEqual({ count: 0, meanMs: 0, p95Ms: 0 })
    expect(report.retryAfterMs).toBe(315_360_000_000)
  })
})
