/** What a limiter remembers: over jumps of the clock, from one life to the next, and how much. */
import { describe, expect, it } from 'vitest'
import { initialState } from '../../../../src/core/limiter/limiter-state.ts'
import { defaultPolicy } from '../../../../src/core/limiter/policy.ts'
import { readSavedState } from '../../../../src/core/limiter/saved-state.ts'
import { snapshotOf } from '../../../../src/core/limiter/snapshot.ts'
import { step } from '../../../../src/core/limiter/step.ts'
import { LimiterAt, reportFor } from './limiter-at.ts'

describe('the clock of the host', () => {
  it('case B10: jumping back an hour neither refills nor blocks', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    const lease = limiter.granted('a', 20)
    const before = limiter.state.tokens
    limiter.nowMs -= 3_600_000
    expect(limiter.acquire('b', 1).granted).toBe(false)
    expect(limiter.state.tokens).toBe(before)
    limiter.nowMs += lease.ttlMs + 250
    expect(limiter.acquire('b', 1).granted).toBe(true)
  })

  it('jumping forward fills the bucket once and ends leases', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    limiter.granted('a', 20)
    limiter.nowMs += 3_600_000
    expect(limiter.granted('b', 500).permits).toBe(20)
    expect(limiter.state.tokens).toBeLessThanOrEqual(30 - 20)
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
    const notice = { leaseId: lease.leaseId, epoch: 0, agoMs: 0, retryAfterMs: 3_600_000 }
    old.send({ kind: 'refused', notice })
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

  it('starts afresh when what was saved is of another version, domain or shape', () => {
    const { state } = new LimiterAt()
    expect(readSavedState(state, 'example.org')).toEqual(state)
    for (const odd of [null, 'x', {}, { ...state, stepVersion: 99 }, { ...state, tokens: null }]) {
      expect(readSavedState(odd, 'example.org')).toBeNull()
    }
    expect(readSavedState(state, 'other.org')).toBeNull()
  })
})

describe('the state', () => {
  it('stays below 8 KB with sixteen busy processes of two projects each', () => {
    const limiter = new LimiterAt({ maxRps: 200, maxInFlight: 64 })
    limiter.nowMs += 30 * 86_400_000
    const wants = ['123', '124'].map((project) => ({ project, permits: 400 }))
    for (let round = 0; round < 120; round += 1) {
      for (let worker = 0; worker < 18; worker += 1) {
        const requestId = `worker-host-name-${worker}-12345678-${round.toString(36)}`
        limiter.acquire(`worker-host-name-${worker}`, 0, { wants, inFlight: 2, requestId })
      }
      limiter.nowMs += 500
    }
    expect(limiter.state.leasesGranted).toBeGreaterThan(300)
    expect(JSON.stringify(limiter.state).length).toBeLessThan(8192)
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
  limiter.acquire('a', 0, {
    inFlight: 1,
    reports: [reportFor(lease, { ok: 3, failed: 2, failuresInARow: 2, latency })],
  })
  limiter.acquire('b', 40)
  expect(snapshotOf(limiter.state)).toMatchObject({
    domain: 'example.org',
    fillRate: 10,
    inFlight: 1,
    waiting: 40,
    totalRequests: 5,
    consecutiveFails: 2,
    avgLatencyMs: 120,
    nextEarliestMs: 0,
    hold: null,
    workers: 2,
  })
  expect(limiter.acquire('b', 40, { snapshot: true }).snapshot?.totalRequests).toBe(5)
})
