/** What a limiter remembers: over jumps of the clock, from one life to the next, and how much. */
import { describe, expect, it } from 'vitest'
import { initialState } from '../../../../src/core/limiter/limiter-state.ts'
import { defaultPolicy } from '../../../../src/core/limiter/policy.ts'
import { tokensOf } from '../../../../src/core/limiter/current-rate.ts'
import { readSavedState } from '../../../../src/core/limiter/saved-state.ts'
import { snapshotOf } from '../../../../src/core/limiter/snapshot.ts'
import { step } from '../../../../src/core/limiter/step.ts'
import { reportFor } from '../../../support/lease-report.ts'
import { LimiterAt } from './limiter-at.ts'

describe('the clock of the host', () => {
  it('case B10: jumping back an hour neither refills nor blocks', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    const lease = limiter.granted('a', 20)
    limiter.report('a', lease, { ok: 20 })
    const before = tokensOf(limiter.state)
    limiter.nowMs -= 3_600_000
    expect(limiter.acquire('b', 1)).toMatchObject({ reason: 'no_tokens', askAgainMs: 1700 })
    expect(tokensOf(limiter.state)).toBe(before)
    limiter.nowMs += 1700
    expect(limiter.granted('b', 1).firstDelayMs).toBe(300)
  })

  it('case B10: jumping back during a wait makes it no longer', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    limiter.refused(limiter.granted('a', 20), 5000)
    limiter.nowMs -= 3_600_000
    expect(limiter.acquire('a', 1)).toMatchObject({ askAgainMs: 5000 })
    limiter.nowMs += 5000
    expect(limiter.acquire('a', 1).granted).toBe(true)
  })

  it('case B10: jumping forward fills the schedule once and ends leases', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    limiter.granted('a', 20)
    limiter.nowMs += 7_200_000
    expect(limiter.granted('b', 500).permits).toBe(20)
    expect(tokensOf(limiter.state)).toBeLessThanOrEqual(30 - 20)
  })
})

describe('a process that falls silent', () => {
  it('keeps the room for as long as its requests may still be on their way', () => {
    const limiter = new LimiterAt({ maxRps: 1.5, maxInFlight: 3 })
    limiter.granted('a', 3)
    limiter.acquire('a', 0, { inFlight: 2 })
    limiter.nowMs += 4_900
    expect(limiter.acquire('b', 3)).toMatchObject({ granted: false, reason: 'in_flight' })
    limiter.nowMs += 100
    expect(limiter.granted('b', 3).inFlightCap).toBe(3)
  })
})

describe('a limiter that starts', () => {
  it('grants nothing before it knows what was saved', () => {
    const state = initialState('example.org', defaultPolicy('example.org'), 0)
    const request = { worker: 'a', requestId: 'r', wants: [], inFlight: 0, reports: [] }
    const result = step(state, { kind: 'acquire', request }, 0, 0)
    expect(result.replies[0]).toMatchObject({ granted: false, reason: 'starting' })
  })

  it('goes on where the saved one stopped: a wait of an hour is still obeyed', () => {
    const old = new LimiterAt({ maxRps: 10 })
    const lease = old.granted('a', 20)
    old.refused(lease, 3_600_000)
    const stored: unknown = JSON.parse(JSON.stringify(old.state))

    const next = new LimiterAt({ maxRps: 5 }, old.nowMs + 1_200_000)
    next.state = initialState('example.org', next.state.policy, next.nowMs)
    next.acquire('b', 5)
    next.send({ kind: 'restored', saved: readSavedState(stored, 'example.org') })
    expect(next.acquire('b', 5)).toMatchObject({ reason: 'retry_after', askAgainMs: 2_400_000 })
    next.nowMs += 2_400_000
    const first = next.granted('b', 100)
    expect(first.spacingMs).toBe(400)
    expect(first.leaseId).not.toBe(lease.leaseId)
  })

  it('keeps what it was told meanwhile: a refusal that came before the memory', () => {
    const old = new LimiterAt({ maxRps: 10 })
    const lease = old.granted('a', 20)
    const next = new LimiterAt({ maxRps: 10 }, old.nowMs + 1000)
    next.state = initialState('example.org', next.state.policy, next.nowMs)
    next.refused({ ...lease, epoch: 7 }, 30_000)
    next.nowMs += 500
    next.send({ kind: 'restored', saved: old.state })
    expect(next.acquire('b', 5)).toMatchObject({ reason: 'retry_after', askAgainMs: 29_500 })
    expect(next.state.epoch).toBe(8)
  })

  it('goes on with the leases of the saved one: nobody gets their place', () => {
    const old = new LimiterAt({ maxRps: 10 })
    old.granted('a', 20)
    const next = new LimiterAt({ maxRps: 10 }, old.nowMs + 1000)
    next.state = initialState('example.org', next.state.policy, next.nowMs)
    next.acquire('b', 5)
    next.send({ kind: 'restored', saved: old.state })
    expect(next.acquire('b', 20)).toMatchObject({ reason: 'no_tokens', askAgainMs: 700 })
  })

  it('names no lease like one that was granted after the saving', () => {
    const old = new LimiterAt({ maxRps: 10 })
    const { state: saved } = old
    const lost = [old.granted('a', 5), old.granted('a', 5)].map(({ leaseId }) => leaseId)
    const next = new LimiterAt({ maxRps: 10 }, old.nowMs + 5000)
    next.state = initialState('example.org', next.state.policy, next.nowMs)
    next.send({ kind: 'restored', saved })
    for (let lease = 0; lease < 3; lease += 1) {
      expect(lost).not.toContain(next.granted('b', 2).leaseId)
    }
  })

  it('starts afresh when what was saved is of another version, domain or shape', () => {
    const { state } = new LimiterAt()
    expect(readSavedState(state, 'example.org')).toEqual(state)
    for (const odd of [null, 'x', {}, { ...state, stepVersion: 99 }, { ...state, epoch: null }]) {
      expect(readSavedState(odd, 'example.org')).toBeNull()
    }
    expect(readSavedState(state, 'other.org')).toBeNull()
  })
})

describe('the state', () => {
  it('stays below 8 KB with sixteen busy processes of two projects each', () => {
    const limiter = new LimiterAt({
      strategy: 'adaptive',
      initialRps: 190.123456789,
      maxRps: 201.987654321,
      maxInFlight: 64,
    })
    limiter.nowMs += 30 * 86_400_000
    const wants = ['123', '124'].map((project) => ({ project, permits: 400 }))
    let largest = 0
    for (let round = 0; round < 140; round += 1) {
      for (let worker = 0; worker < 18; worker += 1) {
        const requestId = `worker-host-name-${worker}-12345678-${round.toString(36)}`
        const name = `worker-host-name-${worker}`
        const reply = limiter.acquire(name, 0, { wants, inFlight: 2, requestId })
        if (!reply.granted) continue
        const latency = { count: 64, meanMs: 1234.5678, p95Ms: 2345.6789 }
        const published = [{ quota: 12_000, windowMs: 60_000, remaining: 9_000, resetMs: 45_000 }]
        const owed = [
          ['123', 1.234],
          ['124', -1.234],
        ] as const
        const counts = { ok: 64, failed: 3, unused: 1, latency, published, owed }
        limiter.acquire(name, 0, {
          wants,
          inFlight: 2,
          reports: [reportFor(reply, counts)],
          requestId,
        })
      }
      limiter.nowMs += 507
      largest = Math.max(largest, JSON.stringify(limiter.state).length)
    }
    expect(Object.keys(limiter.state.workers)).toHaveLength(16)
    expect(limiter.state.ended).toHaveLength(32)
    expect(limiter.state.window.buckets.length).toBeGreaterThan(10)
    expect(limiter.state.ceiling).not.toBeNull()
    expect(limiter.state.owed).not.toEqual({})
    expect(largest).toBeLessThan(8000)
  })

  it('is plain JSON: saved and read again it is the same', () => {
    const limiter = new LimiterAt({ strategy: 'adaptive', initialRps: 10 })
    const lease = limiter.granted('a', 20)
    limiter.report('a', lease, { ok: 3, throttled: 1, failed: 2, failuresInARow: 2 })
    limiter.acquire('b', 20)
    expect(JSON.parse(JSON.stringify(limiter.state))).toStrictEqual(limiter.state)
  })

  it('is never changed in place', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    const lease = limiter.granted('a', 20)
    const before = limiter.state
    const copy = JSON.stringify(before)
    const reports = [reportFor(lease, { ok: 3, throttled: 1, unused: 2 })]
    limiter.nowMs += 700
    limiter.acquire('a', 20, { reports })
    limiter.acquire('b', 20)
    expect(JSON.stringify(before)).toBe(copy)
  })
})

it('a snapshot says what a person asks', () => {
  const limiter = new LimiterAt({ maxRps: 10 })
  const lease = limiter.granted('a', 20, { inFlight: 2 })
  const latency = { count: 3, meanMs: 120, p95Ms: 200 }
  const counts = { ok: 3, failed: 2, throttled: 1, failuresInARow: 2, waited: 4, retries: 1 }
  limiter.acquire('a', 0, {
    inFlight: 1,
    reports: [reportFor(lease, { ...counts, retryAfterMs: 5000, latency })],
  })
  limiter.acquire('b', 40)
  expect(snapshotOf(limiter.state)).toMatchObject({
    domain: 'example.org',
    fillRate: 5,
    inFlight: 1,
    waiting: 40,
    totalRequests: 6,
    throttledRequests: 4,
    retries: 1,
    refusedRequests: 1,
    denied: 1,
    errorRate: 0.5,
    consecutiveFails: 2,
    avgLatency: 120,
    p95Latency: 200,
    state: 'closed',
    strategy: 'fixed',
    mode: 'fixed',
    nextEarliest: 5000,
    hold: 'retry_after',
    parkedForMs: null,
    pausedBecause: null,
    workers: 2,
  })
  expect(limiter.acquire('b', 40, { snapshot: true }).snapshot?.totalRequests).toBe(6)
})
