import { describe, expect, it } from 'vitest'
import { snapshotOf } from '../../../../src/core/limiter/snapshot.ts'
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
    const limiter = new LimiterAt({ maxRps: 10, maxInFlight: 4 })
    limiter.send({ kind: 'pause', request: { reason: 'maintenance' } })
    for (const worker of ['a', 'b']) limiter.acquire(worker, 100)
    limiter.send({ kind: 'resume' })
    expect(limiter.granted('a', 100)).toMatchObject({ firstDelayMs: 0, spacingMs: 200 })
    expect(limiter.granted('b', 100)).toMatchObject({ firstDelayMs: 100, spacingMs: 200 })
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
    expect(limiter.granted('a', 500, { inFlight: 0 }).inFlightCap).toBe(2)
    limiter.nowMs += 1000
    // Until `a` speaks again it may have filled its old cap before it heard of the new one.
    expect(limiter.acquire('b', 500)).toMatchObject({ granted: false, reason: 'in_flight' })
    limiter.granted('a', 500, { inFlight: 4 })
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
