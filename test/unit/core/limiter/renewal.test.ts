/** Case B15: a lease that is renewed lasts from its renewal, not from the first grant. */
import { describe, expect, it } from 'vitest'
import { holdLease } from '../../../../src/core/limiter/held-lease.ts'
import { LimiterAt } from './limiter-at.ts'

/** The broker stops before the limiter does. */
const GRACE_MS = 250

describe('case B15: a lease renewed before its end', () => {
  it('counts for the limiter until the end of the renewal: nobody gets its place before', () => {
    const limiter = new LimiterAt({ maxRps: 2 })
    const first = limiter.granted('a', 1000)
    limiter.nowMs += first.renewAfterMs
    const second = limiter.granted('a', 1000)
    const secondEndsMs = limiter.nowMs + second.ttlMs + GRACE_MS
    limiter.nowMs += first.ttlMs - first.renewAfterMs + GRACE_MS
    const reply = limiter.acquire('b', 1000)
    const [lease, ...others] = limiter.state.workers['a']?.leases ?? []
    expect(others).toEqual([])
    const laterMs = reply.granted ? reply.firstDelayMs : reply.askAgainMs
    expect(limiter.state.clockMs + laterMs).toBeGreaterThanOrEqual((lease?.endMs ?? Infinity) - 1)
    limiter.nowMs = secondEndsMs - 1
    limiter.send({ kind: 'tick' })
    expect(limiter.state.workers['a']?.leases).toHaveLength(1)
    limiter.nowMs = secondEndsMs
    limiter.send({ kind: 'tick' })
    expect(limiter.state.workers['a']?.leases ?? []).toEqual([])
  })

  it('again and again lasts as long as it is renewed', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    for (let renewal = 0; renewal < 60; renewal += 1) {
      const lease = limiter.granted('a', 1000)
      expect(lease.ttlMs).toBeGreaterThan(lease.renewAfterMs)
      limiter.nowMs += lease.renewAfterMs
      limiter.send({ kind: 'tick' })
      expect(limiter.state.workers['a']?.leases.length).toBeGreaterThan(0)
    }
  })

  it('lasts for its holder from when the renewal was asked for', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    const first = limiter.granted('a', 1000)
    const held = holdLease(first, 0, 20, -Infinity)
    limiter.nowMs += first.renewAfterMs
    const second = limiter.granted('a', 1000)
    const renewed = holdLease(second, first.renewAfterMs, first.renewAfterMs + 20, held.expiresMs)
    expect(renewed.expiresMs).toBe(first.renewAfterMs + second.ttlMs)
    expect(renewed.expiresMs).toBeGreaterThan(held.expiresMs)
  })

  it('is not asked for ever further ahead, whatever a process that slept says its messages take', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    for (let message = 0; message < 100; message += 1) {
      limiter.acquire('a', 1000, { roundTripMs: 3_600_000 })
      limiter.nowMs += 100
    }
    const leases = limiter.state.workers['a']?.leases ?? []
    const lastMs = leases.at(-1)?.endMs ?? Infinity
    expect(leases.length).toBeLessThanOrEqual(2)
    expect(lastMs - limiter.state.clockMs).toBeLessThan(20_000)
  })
})
