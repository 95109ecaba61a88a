/** What an operator does: pause, resume, another policy, a reset. */
import { describe, expect, it } from 'vitest'
import { leaseRps } from '../../../../src/core/limiter/limiter-state.ts'
import { snapshotOf } from '../../../../src/core/limiter/snapshot.ts'
import { LimiterAt } from './limiter-at.ts'

describe('a pause by hand', () => {
  it('takes back what a process holds as soon as it asks, and the place of it is free', () => {
    const limiter = new LimiterAt({ maxRps: 0.1 })
    limiter.granted('a', 1)
    limiter.send({ kind: 'pause', request: { reason: 'maintenance' } })
    expect(limiter.acquire('a', 0)).toMatchObject({ reason: 'paused', revoked: true })
    limiter.send({ kind: 'resume' })
    expect(limiter.granted('b', 1).firstDelayMs).toBe(0)
  })

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

describe('resuming by hand', () => {
  it('ends what a server asked for too: half the rate for a slot, then the rate', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    limiter.refused(limiter.granted('a', 20), 3_600_000)
    expect(limiter.acquire('a', 100)).toMatchObject({ reason: 'retry_after' })
    limiter.send({ kind: 'resume' })
    expect(limiter.granted('a', 100).spacingMs).toBe(200)
    limiter.nowMs += 2000
    expect(limiter.granted('a', 100).spacingMs).toBe(100)
  })

  it('ends a wait of ten years, of which only a day was obeyed: one request finds out', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    limiter.refused(limiter.granted('a', 20), 315_360_000_000)
    limiter.nowMs += 3_600_000
    limiter.send({ kind: 'resume' })
    expect(snapshotOf(limiter.state)).toMatchObject({ hold: null, parkedForMs: null })
    expect(limiter.granted('a', 100).permits).toBe(1)
  })
})

describe('a policy changed by hand', () => {
  it('holds from the next lease on, and what was learned stays', () => {
    const limiter = new LimiterAt({ strategy: 'aimd', initialRps: 10 })
    limiter.refused(limiter.granted('a', 20), 5000)
    const learned = limiter.state.control
    limiter.send({ kind: 'policy', policy: { ...limiter.state.policy, maxRps: 2 } })
    expect(limiter.state.control).toEqual(learned)
    expect(snapshotOf(limiter.state)).toMatchObject({ fillRate: 1, hold: 'retry_after' })
  })

  it('before the first lease says where to begin', () => {
    const limiter = new LimiterAt({ strategy: 'adaptive', initialRps: 100, maxRps: 100 })
    limiter.send({ kind: 'policy', policy: { ...limiter.state.policy, initialRps: 3 } })
    expect(snapshotOf(limiter.state).fillRate).toBe(3)
    limiter.granted('a', 5)
    limiter.send({ kind: 'policy', policy: { ...limiter.state.policy, initialRps: 50 } })
    expect(snapshotOf(limiter.state).fillRate).toBe(3)
  })

  it('to another strategy begins to learn anew', () => {
    const limiter = new LimiterAt({ maxRps: 10, initialRps: 3 })
    limiter.send({ kind: 'policy', policy: { ...limiter.state.policy, strategy: 'adaptive' } })
    expect(snapshotOf(limiter.state)).toMatchObject({
      strategy: 'adaptive',
      mode: 'search',
      fillRate: 3,
    })
  })

  it('to begin metering costs finds all of the budget there, whatever was sent before', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    for (let slot = 0; slot < 20; slot += 1) {
      limiter.granted('a', 20)
      limiter.nowMs += 2000
    }
    const metered = { costPerSecond: 1, costBurst: 60 }
    limiter.send({ kind: 'policy', policy: { ...limiter.state.policy, ...metered } })
    expect(limiter.state.budget).toBe(60)
    expect(limiter.granted('a', 20).permits).toBeGreaterThanOrEqual(20)
  })

  it('to less budget than a request has cost sends one when that is full', () => {
    const limiter = new LimiterAt({ maxRps: 10, costPerSecond: 1, costBurst: 60 })
    for (let request = 0; request < 10; request += 1) {
      limiter.nowMs += 120_000
      const lease = limiter.granted('a', 1)
      limiter.report('a', lease, { ok: 1, unused: lease.permits - 1, cost: 60 })
    }
    limiter.send({ kind: 'policy', policy: { ...limiter.state.policy, costBurst: 10 } })
    limiter.nowMs += 120_000
    expect(limiter.granted('a', 1).permits).toBe(1)
  })

  it('case B13: that makes it slow and fast again keeps nobody at the slow rate', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    const at = (maxRps: number) =>
      limiter.send({ kind: 'policy', policy: { ...limiter.state.policy, maxRps } })
    limiter.granted('a', 20)
    limiter.nowMs += 2000
    at(0.5)
    limiter.acquire('a', 20)
    at(100)
    limiter.nowMs += 2000
    expect(limiter.granted('a', 1000).spacingMs).toBe(10)
  })

  it('case B16: to a quarter of the rate is kept within the life of the leases that are out', () => {
    const limiter = new LimiterAt({ maxRps: 20 })
    limiter.granted('a', 1000)
    limiter.nowMs += 1000
    const last = limiter.granted('a', 1000)
    limiter.acquire('b', 1000)
    limiter.send({ kind: 'policy', policy: { ...limiter.state.policy, maxRps: 5 } })
    const endMs = limiter.state.clockMs + last.ttlMs
    const later: number[] = []
    for (let round = 0; round < 40; round += 1) {
      for (const worker of ['a', 'b']) limiter.acquire(worker, 1000)
      limiter.nowMs += 250
      const { clockMs, workers } = limiter.state
      const running = Object.values(workers)
        .flatMap(({ leases }) => leases)
        .filter((lease) => lease.startMs <= clockMs && clockMs < lease.endMs)
      const rps = running.reduce((sum, lease) => sum + leaseRps(lease), 0)
      if (clockMs >= endMs) later.push(rps)
    }
    expect(later.length).toBeGreaterThan(20)
    expect(Math.max(...later)).toBeLessThanOrEqual(5 + 1e-9)
    expect(Math.max(...later)).toBeGreaterThan(4)
  })
})

describe('a reset', () => {
  it('forgets what was learned of the server and every wait, but not who is there', () => {
    const limiter = new LimiterAt({ strategy: 'aimd', initialRps: 10 })
    const lease = limiter.granted('a', 20)
    limiter.report('a', lease, { ok: 5, throttled: 1, retryAfterMs: 60_000 })
    const before = limiter.state
    limiter.send({ kind: 'reset' })
    expect(limiter.state).toMatchObject({ streak: 0, budget: 0, epoch: before.epoch + 1 })
    expect(limiter.state.totals).toEqual(before.totals)
    expect(limiter.granted('a', 20)).toMatchObject({ spacingMs: 100, permits: 20 })
  })

  it('is not undone by reports of before it', () => {
    const limiter = new LimiterAt({ strategy: 'aimd', initialRps: 10 })
    const lease = limiter.granted('a', 20)
    limiter.send({ kind: 'reset' })
    limiter.report('a', lease, { throttled: 1 })
    expect(snapshotOf(limiter.state)).toMatchObject({ fillRate: 10, mode: 'aimd' })
  })

  it('leaves a pause by hand to the hand', () => {
    const limiter = new LimiterAt()
    limiter.send({ kind: 'pause', request: { reason: 'maintenance' } })
    limiter.send({ kind: 'reset' })
    expect(limiter.acquire('a', 1)).toMatchObject({ reason: 'paused' })
  })
})
