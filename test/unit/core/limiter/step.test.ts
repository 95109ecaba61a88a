import { describe, expect, it } from 'vitest'
import type { LeaseGrant } from '../../../../src/core/limiter/protocol.ts'
import { reportFor } from '../../../support/lease-report.ts'
import { LimiterAt } from './limiter-at.ts'

describe('a lease', () => {
  it('covers one slot at the full rate when one process asks alone', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    expect(limiter.granted('a', 500)).toMatchObject({
      permits: 20,
      spacingMs: 100,
      firstDelayMs: 0,
      ttlMs: 2250,
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
    limiter.nowMs += 9000
    expect(limiter.granted('a', 5).firstDelayMs).toBe(1000)
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
  it('have leases that lie end to end, each of the whole rate, when one ends its turn', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    limiter.granted('a', 20)
    expect(limiter.acquire('b', 100)).toMatchObject({ reason: 'no_tokens', askAgainMs: 1700 })
    limiter.nowMs += 1000
    limiter.acquire('a', 0)
    // What the last requests of one bring to light must reach the next before it begins.
    expect(limiter.acquire('b', 100)).toMatchObject({ reason: 'no_tokens', askAgainMs: 700 })
    limiter.nowMs += 700
    expect(limiter.granted('b', 100)).toMatchObject({ firstDelayMs: 300, spacingMs: 100 })
  })

  it('have leases beside each other where the domain is fast, a part of the rate each', () => {
    const limiter = new LimiterAt({ maxRps: 200 })
    limiter.send({ kind: 'pause', request: { reason: 'maintenance' } })
    for (const worker of ['a', 'b']) limiter.acquire(worker, 1000)
    limiter.send({ kind: 'resume' })
    limiter.nowMs += 2000
    expect(limiter.granted('a', 1000)).toMatchObject({ firstDelayMs: 0, spacingMs: 10 })
    expect(limiter.granted('b', 1000)).toMatchObject({ firstDelayMs: 0, spacingMs: 10 })
  })

  it('that find less than their part of the rate free take what there is, and no more', () => {
    const limiter = new LimiterAt({ maxRps: 250 })
    limiter.send({ kind: 'pause', request: { reason: 'maintenance' } })
    for (const worker of ['a', 'b', 'c']) limiter.acquire(worker, 1000)
    limiter.send({ kind: 'resume' })
    limiter.nowMs += 2000
    // A third each; then one of them wants nothing more, but its lease runs on.
    for (const worker of ['b', 'c']) expect(limiter.granted(worker, 1000).spacingMs).toBeCloseTo(12)
    limiter.acquire('c', 0)
    expect(limiter.granted('a', 1000).spacingMs).toBeCloseTo(12)
  })

  it('are turned away without a place beyond sixteen, and come in as others leave', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    for (let worker = 0; worker < 16; worker += 1) limiter.acquire(`w${worker}`, 10)
    expect(limiter.acquire('late', 10)).toMatchObject({ reason: 'in_flight', askAgainMs: 2000 })
    const request = { worker: 'w9', requestId: 'r', leaseIds: [], inFlight: 0, reports: [] }
    limiter.send({ kind: 'release', request })
    expect(limiter.acquire('late', 10)).toMatchObject({ reason: 'no_tokens' })
    expect(Object.keys(limiter.state.workers)).toHaveLength(16)
  })

  it('divide the in-flight cap, and what is still on its way counts', () => {
    const limiter = new LimiterAt({ maxRps: 200, maxInFlight: 4 })
    expect(limiter.granted('a', 1000).inFlightCap).toBe(4)
    expect(limiter.acquire('b', 1000).granted).toBe(false)
    limiter.nowMs += 1000
    expect(limiter.granted('a', 1000, { inFlight: 4 }).inFlightCap).toBe(2)
    // It may have filled its old cap before it hears of the new one.
    expect(limiter.acquire('b', 1000).granted).toBe(false)
    limiter.nowMs += 1000
    limiter.granted('a', 1000, { inFlight: 2 })
    expect(limiter.granted('b', 1000).inFlightCap).toBe(2)
  })

  it('leave to others what they cannot have on its way', () => {
    const limiter = new LimiterAt({ maxRps: 10, maxInFlight: 4 })
    const lease = limiter.granted('a', 1)
    expect(lease.inFlightCap).toBe(1)
    limiter.nowMs += 100
    expect(limiter.granted('b', 100).inFlightCap).toBe(3)
  })

  it('give way to one at a time under a crawl delay', () => {
    const limiter = new LimiterAt({ maxRps: 10, minSpacingMs: 500 })
    const lease = limiter.granted('a', 2)
    expect(lease).toMatchObject({ permits: 2, spacingMs: 500, firstDelayMs: 0 })
    expect(limiter.acquire('b', 2)).toMatchObject({ granted: false })
    limiter.nowMs += 10
    limiter.release('a', lease, { ok: 1, unused: 1 })
    expect(limiter.granted('b', 2).firstDelayMs).toBe(500)
  })

  it('keep the crawl delay from one to the next, also when a broker got its lease late', () => {
    const limiter = new LimiterAt({ maxRps: 10, minSpacingMs: 500 })
    limiter.granted('a', 2)
    limiter.nowMs += 1000
    expect(limiter.granted('b', 2).firstDelayMs).toBe(500)
  })
})

describe('a dead process', () => {
  it('blocks nobody longer than its lease and the three seconds it may have been silent', () => {
    const limiter = new LimiterAt({ maxRps: 10, maxInFlight: 4 })
    const lease = limiter.granted('dead', 100)
    let reply = limiter.acquire('b', 100)
    const startMs = limiter.nowMs
    while (!reply.granted) {
      limiter.nowMs += reply.askAgainMs
      reply = limiter.acquire('b', 100)
    }
    expect(limiter.nowMs - startMs).toBeLessThanOrEqual(lease.ttlMs + 3000)
    expect(reply.permits).toBe(20)
    expect(Object.keys(limiter.state.workers)).toEqual(['b'])
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
    const report = reportFor(lease, { ok: 4, unused: 6, waited: 3, retries: 2 })
    limiter.acquire('a', 0, { reports: [report] })
    limiter.acquire('a', 0, { reports: [report] })
    expect(limiter.state.totals).toMatchObject({ sent: 4, waited: 3, retries: 2 })
    limiter.nowMs += 10_000
    const late = reportFor(lease, { ok: 1, sequence: 2 })
    limiter.acquire('a', 0, { reports: [late, late] })
    limiter.acquire('a', 0, { reports: [report] })
    expect(limiter.state.totals.sent).toBe(5)
  })

  it('of a lease nobody remembers counts only its refusals: it may have been counted long ago', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    const lease = limiter.granted('a', 20)
    const forgotten = { ...lease, leaseId: lease.leaseId.replace(/1$/, '99') }
    limiter.report('a', forgotten, { ok: 5, failed: 3, failuresInARow: 3 })
    expect(limiter.state.totals.sent).toBe(0)
    expect(limiter.state.failuresInARow).toBe(0)
    limiter.report('a', forgotten, { throttled: 1, retryAfterMs: 3000, sequence: 2 })
    expect(limiter.acquire('a', 5)).toMatchObject({ reason: 'retry_after', askAgainMs: 3000 })
  })

  it('releases once', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    const lease = limiter.granted('a', 20)
    limiter.release('a', lease, { ok: 4, unused: 16 })
    const once = limiter.state
    limiter.release('a', lease, { ok: 4, unused: 16 })
    expect(limiter.state).toEqual(once)
  })
})

describe('unused permits', () => {
  it('of a released lease free its place at once, one spacing after what may just have been sent', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    const lease = limiter.granted('a', 100)
    expect(limiter.acquire('b', 100).granted).toBe(false)
    limiter.release('a', lease, { unused: 20 })
    expect(limiter.granted('b', 100)).toMatchObject({ permits: 20, firstDelayMs: 100 })
    expect(Object.keys(limiter.state.workers)).toEqual(['b'])
  })

  it('of a lease that has not begun free it at once', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    limiter.granted('a', 10)
    limiter.nowMs += 500
    const next = limiter.granted('a', 10)
    limiter.release('a', next, { unused: 10 })
    expect(limiter.granted('a', 10).firstDelayMs).toBe(500)
  })
})

describe('where the server meters something else than requests', () => {
  const policy = { maxRps: 10, costPerSecond: 1, costBurst: 60 } as const

  /** A process that asks as often as it may, every request at such a cost; what it spent in all. */
  const spentBy = (limiter: LimiterAt, costOf: (count: number) => number, forMs: number) => {
    let spent = 0
    let sent = 0
    const untilMs = limiter.nowMs + forMs
    while (limiter.nowMs < untilMs) {
      const reply = limiter.acquire('a', 100)
      if (!reply.granted) {
        limiter.nowMs += reply.askAgainMs
        continue
      }
      const costs = Array.from({ length: reply.permits }, (_, index) => costOf(sent + index))
      const cost = costs.reduce((sum, one) => sum + one, 0)
      sent += reply.permits
      spent += cost
      limiter.nowMs += reply.firstDelayMs + reply.permits * reply.spacingMs
      limiter.report('a', reply, { ok: reply.permits, cost })
    }
    return { spent, sent }
  }

  it('what is spent is what it gives back, and once what is saved up', () => {
    for (const cost of [0.2, 1, 5]) {
      const { spent } = spentBy(new LimiterAt(policy), () => cost, 600_000)
      expect(spent).toBeGreaterThan(0.95 * 600)
      // The first lease is charged at 1 each, before anything is known.
      expect(spent).toBeLessThan(660 + 20 * cost)
    }
  })

  it('a request dearer than all that can be saved up is sent when that is full', () => {
    const limiter = new LimiterAt(policy)
    // The first lease knows nothing of it, and is paid for.
    spentBy(limiter, () => 100, 3_600_000)
    const { sent } = spentBy(limiter, () => 100, 3_600_000)
    expect(sent).toBeGreaterThanOrEqual(34)
    expect(sent).toBeLessThanOrEqual(37)
  })

  it('what a lease was charged is what it gives back, whatever the average has become meanwhile', () => {
    const limiter = new LimiterAt({ ...policy, maxRps: 100, costPerSecond: 1e-9 })
    const first = limiter.granted('a', 10)
    const second = limiter.granted('a', 10)
    const unused = ({ permits }: LeaseGrant, used: number) => permits - used
    limiter.report('a', first, { ok: 10, unused: unused(first, 10), cost: 25 })
    const third = limiter.granted('a', 5)
    limiter.nowMs += 60_000
    limiter.report('a', second, { ok: 4, unused: unused(second, 4), cost: 2 })
    limiter.report('a', third, { ok: 5, unused: unused(third, 5), cost: 3 })
    expect(limiter.state.budget).toBeCloseTo(60 - 25 - 2 - 3, 6)
  })

  it('what was not sent costs nothing', () => {
    const limiter = new LimiterAt({ ...policy, maxRps: 100 })
    const lease = limiter.granted('a', 60)
    expect(lease.permits).toBe(60)
    limiter.release('a', lease, { ok: 10, unused: 50 })
    expect(limiter.state.budget).toBe(50)
  })

  it('an empty budget says when to come back', () => {
    const limiter = new LimiterAt({ ...policy, maxRps: 100 })
    limiter.granted('a', 60)
    expect(limiter.acquire('a', 1)).toMatchObject({ reason: 'no_tokens', askAgainMs: 1000 })
  })

  it('case B10: a clock that jumps ahead fills it once, one that jumps back not at all', () => {
    const limiter = new LimiterAt({ ...policy, maxRps: 100 })
    limiter.granted('a', 60)
    limiter.nowMs -= 3_600_000
    limiter.send({ kind: 'tick' })
    expect(limiter.state.budget).toBe(0)
    limiter.nowMs += 7_200_000
    limiter.send({ kind: 'tick' })
    expect(limiter.state.budget).toBe(60)
  })
})
