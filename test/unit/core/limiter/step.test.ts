import { describe, expect, it } from 'vitest'
import { initialState } from '../../../../src/core/limiter/limiter-state.ts'
import { defaultPolicy } from '../../../../src/core/limiter/policy.ts'
import { readSavedState } from '../../../../src/core/limiter/saved-state.ts'
import { snapshotOf } from '../../../../src/core/limiter/snapshot.ts'
import { step } from '../../../../src/core/limiter/step.ts'
import { LimiterAt, reportFor } from './limiter-at.ts'

describe('a lease', () => {
  it('covers one slot at the full rate when one process asks alone', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    expect(limiter.granted('a', 500)).toMatchObject({
      permits: 20,
      spacingMs: 100,
      firstDelayMs: 0,
      ttlMs: 4000,
      renewAfterMs: 1000,
    })
  })

  it('covers no more than is wanted, and is no slower for it', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    expect(limiter.granted('a', 3)).toMatchObject({ permits: 3, spacingMs: 100 })
  })

  it('starts where the one before it ends', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    const first = limiter.granted('a', 100)
    limiter.nowMs += first.renewAfterMs
    const second = limiter.granted('a', 100)
    expect(second.firstDelayMs).toBeCloseTo(2000 - first.renewAfterMs)
  })

  it('lets a slow domain send at once, and only then waits out its spacing', () => {
    const limiter = new LimiterAt({ maxRps: 0.1 })
    const lease = limiter.granted('a', 5)
    expect(lease).toMatchObject({ permits: 1, firstDelayMs: 0, spacingMs: 10_000 })
    expect(lease.ttlMs).toBeGreaterThan(10_000)
    expect(limiter.acquire('a', 5)).toMatchObject({ granted: false, askAgainMs: 9000 })
  })

  it('is divided between projects by weight, and nobody gets more than they want', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    const wants = [
      { project: 'big', permits: 100, weight: 3 },
      { project: 'small', permits: 100 },
      { project: 'tiny', permits: 1 },
    ]
    const lease = limiter.granted('a', 0, { wants })
    expect(lease.shares).toEqual([
      { project: 'big', permits: 14 },
      { project: 'small', permits: 5 },
      { project: 'tiny', permits: 1 },
    ])
  })
})

describe('several processes', () => {
  it('share the rate once each has renewed', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    limiter.granted('a', 100)
    expect(limiter.acquire('b', 100)).toMatchObject({ granted: false })
    limiter.nowMs += 1000
    expect(limiter.granted('a', 100).spacingMs).toBeCloseTo(200)
    limiter.nowMs += 1000
    expect(limiter.granted('a', 100).spacingMs).toBeCloseTo(200)
    expect(limiter.granted('b', 100).spacingMs).toBeCloseTo(200)
  })

  it('that start together are one spacing apart', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    limiter.acquire('a', 0, { wants: [{ project: '1', permits: 100 }] })
    limiter.nowMs += 5000
    limiter.acquire('c', 100)
    const leases = ['a', 'b'].map((worker) => limiter.acquire(worker, 100))
    const starts = leases.flatMap((lease) => (lease.granted ? [lease.firstDelayMs] : []))
    expect(new Set(starts).size).toBe(starts.length)
  })

  it('take turns where the in-flight cap is smaller than their number', () => {
    const limiter = new LimiterAt({ maxRps: 10, maxInFlight: 1 })
    const served = new Map<string, number>()
    for (let round = 0; round < 200; round += 1) {
      for (const worker of ['a', 'b', 'c']) {
        const reply = limiter.acquire(worker, 100)
        if (reply.granted) served.set(worker, (served.get(worker) ?? 0) + 1)
      }
      limiter.nowMs += 500
    }
    const counts = [...served.values()]
    expect(counts).toHaveLength(3)
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
  })

  it('divide the in-flight cap, and what is still on its way counts', () => {
    const limiter = new LimiterAt({ maxRps: 100, maxInFlight: 4 })
    expect(limiter.granted('a', 50).inFlightCap).toBe(4)
    limiter.acquire('b', 500)
    limiter.nowMs += 1000
    expect(limiter.granted('a', 500, { inFlight: 4 }).inFlightCap).toBe(2)
    limiter.nowMs += 1000
    expect(limiter.acquire('b', 500)).toMatchObject({ granted: false, reason: 'in_flight' })
    limiter.granted('a', 500, { inFlight: 2 })
    limiter.nowMs += 1000
    expect(limiter.granted('b', 500).inFlightCap).toBe(2)
  })

  it('give way to one at a time under a crawl delay', () => {
    const limiter = new LimiterAt({ maxRps: 10, minSpacingMs: 500 })
    const lease = limiter.granted('a', 2)
    expect(lease).toMatchObject({ permits: 2, spacingMs: 500 })
    expect(limiter.acquire('b', 2)).toMatchObject({ granted: false })
    const request = { worker: 'a', requestId: 'r', leaseIds: [lease.leaseId], inFlight: 0 }
    limiter.send({ kind: 'release', request: { ...request, reports: [] } })
    expect(limiter.granted('b', 2).firstDelayMs).toBe(1000)
  })
})

describe('a dead process', () => {
  it('keeps its share until its lease expires a quarter second after its own count, and no longer', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    const lease = limiter.granted('dead', 100)
    limiter.nowMs += lease.ttlMs + 249
    expect(limiter.acquire('b', 100).granted).toBe(false)
    limiter.nowMs += 1
    expect(limiter.granted('b', 100).permits).toBe(20)
  })
})

describe('case B24: a message delivered twice', () => {
  it('returns the same lease for the same request', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    const first = limiter.granted('a', 5, { requestId: 'same' })
    limiter.nowMs += 300
    expect(limiter.granted('a', 5, { requestId: 'same' })).toEqual(first)
    expect(limiter.state.leasesGranted).toBe(1)
  })

  it('counts a report once, of a live lease and of an ended one', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    const lease = limiter.granted('a', 20)
    const report = reportFor(lease, { ok: 4, unused: 6 })
    const before = limiter.state.tokens
    limiter.acquire('a', 0, { reports: [report] })
    limiter.acquire('a', 0, { reports: [report] })
    expect(limiter.state.totals.sent).toBe(4)
    expect(limiter.state.tokens - before).toBe(6)
    limiter.nowMs += 10_000
    const late = reportFor(lease, { ok: 1, sequence: 2 })
    limiter.acquire('a', 0, { reports: [late, late] })
    limiter.acquire('a', 0, { reports: [report] })
    expect(limiter.state.totals.sent).toBe(5)
  })
})

describe('unused permits', () => {
  it('come back, but never more than the lease had', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    const full = limiter.state.tokens
    const lease = limiter.granted('a', 20)
    limiter.acquire('a', 0, { reports: [reportFor(lease, { ok: 15, unused: 900 })] })
    expect(limiter.state.tokens).toBe(full)
    const second = limiter.granted('a', 20)
    limiter.acquire('a', 0, { reports: [reportFor(second, { ok: 15, unused: 5 })] })
    expect(limiter.state.tokens).toBe(full - 15)
  })

  it('of a released lease free its share at once', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    const lease = limiter.granted('a', 100)
    expect(limiter.acquire('b', 100).granted).toBe(false)
    const request = { worker: 'a', requestId: 'r', leaseIds: [lease.leaseId], inFlight: 0 }
    const reports = [reportFor(lease, { unused: 20 })]
    limiter.send({ kind: 'release', request: { ...request, reports } })
    expect(limiter.granted('b', 100).permits).toBe(20)
    expect(Object.keys(limiter.state.workers)).toEqual(['b'])
  })
})

const refusedAfter = (retryAfterMs: number | null, random = 0) => {
  const limiter = new LimiterAt({ maxRps: 10 })
  const lease = limiter.granted('a', 20)
  const notice = { leaseId: lease.leaseId, epoch: lease.epoch, agoMs: 0, retryAfterMs }
  limiter.send({ kind: 'refused', notice }, random)
  return { limiter, lease, notice }
}

describe('a refusal with Retry-After', () => {
  it('is obeyed by everybody, and what they hold is void', () => {
    const { limiter } = refusedAfter(120_000)
    for (const worker of ['a', 'b']) {
      expect(limiter.acquire(worker, 5)).toMatchObject({
        granted: false,
        reason: 'retry_after',
        askAgainMs: 120_000,
        revoked: true,
      })
    }
    limiter.nowMs += 119_999
    expect(limiter.acquire('b', 5)).toMatchObject({ reason: 'retry_after', askAgainMs: 1 })
    limiter.nowMs += 1
    expect(limiter.acquire('b', 5).granted).toBe(true)
  })

  it('resumes at half the rate for one slot', () => {
    const { limiter } = refusedAfter(5000)
    limiter.nowMs += 5000
    expect(limiter.granted('b', 100).spacingMs).toBe(200)
    limiter.nowMs += 1000
    limiter.granted('b', 100)
    limiter.nowMs += 2000
    expect(limiter.granted('b', 100).spacingMs).toBe(100)
  })

  it('case B1: is one event for all requests that were on their way', () => {
    const { limiter, lease, notice } = refusedAfter(null)
    for (let more = 0; more < 7; more += 1) limiter.send({ kind: 'refused', notice })
    limiter.acquire('a', 0, { reports: [reportFor(lease, { throttled: 8, throttledAgoMs: 10 })] })
    expect(limiter.state).toMatchObject({ streak: 1, epoch: 1 })
    expect(limiter.state.totals.throttled).toBe(8)
  })

  it('waits longer when an older request was asked to wait longer', () => {
    const { limiter, notice } = refusedAfter(2000)
    limiter.send({ kind: 'refused', notice: { ...notice, retryAfterMs: 9000 } })
    expect(limiter.acquire('b', 1)).toMatchObject({ askAgainMs: 9000 })
  })

  it('counts from when the server said it', () => {
    const { limiter, notice } = refusedAfter(2000)
    limiter.nowMs += 500
    limiter.send({ kind: 'refused', notice: { ...notice, retryAfterMs: 3000, agoMs: 400 } })
    expect(limiter.acquire('b', 1)).toMatchObject({ askAgainMs: 2600 })
  })

  it('is spread by chance over at most a second', () => {
    const { limiter } = refusedAfter(120_000, 0.5)
    expect(limiter.acquire('b', 1)).toMatchObject({ askAgainMs: 120_500 })
  })

  it('of ten years is obeyed hour by hour', () => {
    const { limiter } = refusedAfter(315_360_000_000)
    expect(limiter.acquire('b', 1)).toMatchObject({ askAgainMs: 3_600_000 })
  })

  it('that is missing waits 1, 2, 4 s and more, until something succeeds', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    const waits = Array.from({ length: 8 }, () => {
      const lease = limiter.granted('a', 20)
      const notice = { leaseId: lease.leaseId, epoch: lease.epoch, agoMs: 0, retryAfterMs: null }
      limiter.send({ kind: 'refused', notice }, 1)
      const reply = limiter.acquire('a', 1)
      const waitMs = reply.granted ? 0 : reply.askAgainMs
      limiter.nowMs += waitMs + 10_000
      return waitMs
    })
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
    const lease = limiter.granted('a', 20)
    limiter.acquire('a', 0, { reports: [reportFor(lease, { ok: 1 })] })
    expect(limiter.state.streak).toBe(0)
  })
})

describe('a pause by hand', () => {
  it('stops everybody until it is taken back, and is shown', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    limiter.granted('a', 5)
    limiter.send({ kind: 'pause', request: { reason: 'maintenance' } })
    expect(limiter.acquire('a', 5)).toMatchObject({ reason: 'paused', revoked: true })
    expect(snapshotOf(limiter.state)).toMatchObject({
      hold: 'paused',
      pausedBecause: 'maintenance',
    })
    limiter.nowMs += 86_400_000
    expect(limiter.acquire('a', 5)).toMatchObject({ reason: 'paused' })
    limiter.send({ kind: 'resume' })
    expect(limiter.acquire('a', 5).granted).toBe(true)
  })
})

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
