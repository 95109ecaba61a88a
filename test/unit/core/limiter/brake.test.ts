/** Slowing down by latency: only together with a full in-flight cap, and never because of errors. */
import { describe, expect, it } from 'vitest'
import { fullRate } from '../../../../src/core/limiter/current-rate.ts'
import type { DomainPolicy } from '../../../../src/core/limiter/policy.ts'
import type { LeaseGrant, LeaseReport } from '../../../../src/core/limiter/protocol.ts'
import { snapshotOf } from '../../../../src/core/limiter/snapshot.ts'
import { LimiterAt } from './limiter-at.ts'

/** Results once a second; the highest rate and in-flight cap seen meanwhile. */
function live(
  limiter: LimiterAt,
  forMs: number,
  counts: (index: number) => Partial<LeaseReport>,
  inFlight: number,
) {
  let mostRps = 0
  let mostCap = 0
  let held: LeaseGrant | undefined
  let sequence = 0
  for (let index = 0; index < forMs / 1000; index += 1) {
    const reply = limiter.acquire('a', 100, { inFlight })
    if (reply.granted) [held, sequence] = [reply, 0]
    sequence += 1
    if (held !== undefined) limiter.report('a', held, { ...counts(index), sequence }, inFlight)
    mostRps = Math.max(mostRps, fullRate(limiter.state))
    mostCap = Math.max(mostCap, snapshotOf(limiter.state).inFlightCap)
    limiter.nowMs += 1000
    limiter.send({ kind: 'tick' })
  }
  return { mostRps, mostCap, rps: fullRate(limiter.state) }
}

const answers = (meanMs: number): Partial<LeaseReport> => ({
  ok: 5,
  latency: { count: 5, meanMs, p95Ms: meanMs },
})
const steady = { strategy: 'aimd', aimdIncrease: 1e-9, initialRps: 10, maxInFlight: 4 } as const
const warm = (policy: Partial<DomainPolicy> = {}) => {
  const limiter = new LimiterAt({ ...steady, ...policy })
  live(limiter, 5000, () => answers(100), 1)
  return limiter
}

describe('answers that take more than twice as long as usual', () => {
  it('cost half of the rate after three slots with everything that may be on its way on its way', () => {
    const limiter = warm()
    expect(live(limiter, 6000, () => answers(1000), 4).rps).toBeCloseTo(10)
    expect(live(limiter, 2000, () => answers(1000), 4).rps).toBeCloseTo(5)
  })

  it('cost it once in ten seconds', () => {
    const limiter = warm()
    live(limiter, 8000, () => answers(1000), 4)
    expect(live(limiter, 7000, () => answers(1000), 4).rps).toBeCloseTo(5)
    expect(live(limiter, 4000, () => answers(1000), 4).rps).toBeLessThan(3)
  })

  it('cost only what they are slower: two and a half times takes two fifths', () => {
    const { rps } = live(warm(), 9000, () => answers(250), 4)
    expect(rps).toBeGreaterThan(5.5)
    expect(rps).toBeLessThan(7)
  })

  it('cost nothing while more could be on its way: latency alone never slows down', () => {
    expect(live(warm(), 30_000, () => answers(1000), 3).rps).toBeCloseTo(10)
  })

  it('cost nothing where they come and go', () => {
    const { rps } = live(warm(), 60_000, (index) => answers(index % 6 < 3 ? 400 : 100), 4)
    expect(rps).toBeCloseTo(10)
  })

  it('cost nothing where the rate is fixed', () => {
    expect(live(warm({ strategy: 'fixed', maxRps: 10 }), 30_000, () => answers(1000), 4).rps).toBe(
      10,
    )
  })
})

describe('answers that are quick out of a cache and take two seconds else', () => {
  /** Of ten a second, two misses in each but every third, as a report tells them. */
  const mixed = (index: number): Partial<LeaseReport> => {
    const misses = index % 3 === 0 ? 0 : 2
    const meanMs = (misses * 2000 + (10 - misses) * 20) / 10
    const latency = { count: 10, meanMs, p95Ms: misses > 0 ? 2000 : 20, leastMs: 20 }
    return { ok: 10, latency }
  }

  it('never slow down a server that is well, however full the cap', () => {
    expect(live(warm(), 600_000, mixed, 4).rps).toBeCloseTo(10)
  })

  it('leave room for the slow ones when many quick ones have come in a row', () => {
    const limiter = warm({ maxInFlight: 64 })
    live(limiter, 30_000, mixed, 1)
    const { latency } = limiter.state
    expect(latency.shortMs).toBeGreaterThan(0)
    live(limiter, 2000, () => mixed(0), 1)
    expect(snapshotOf(limiter.state).inFlightCap).toBeGreaterThan(4)
  })

  it('slow it down once even the quick ones are slow', () => {
    const limiter = warm()
    live(limiter, 60_000, mixed, 4)
    const slow = { count: 10, meanMs: 3000, p95Ms: 4000, leastMs: 2000 }
    expect(live(limiter, 10_000, () => ({ ok: 10, latency: slow }), 4).rps).toBeLessThan(6)
  })
})

it('a full cap alone never slows down', () => {
  expect(live(warm(), 60_000, () => answers(150), 4).rps).toBeCloseTo(10)
})

describe('case B20: time-outs of five seconds', () => {
  it('make neither the rate nor the in-flight cap climb, and end in an open breaker', () => {
    const limiter = new LimiterAt({ strategy: 'adaptive', initialRps: 2, maxInFlight: 100 })
    live(limiter, 4000, () => ({ ok: 1, latency: { count: 1, meanMs: 300, p95Ms: 300 } }), 1)
    const before = snapshotOf(limiter.state)
    const timeOuts = { overloaded: 2, failuresInARow: 2 }
    const { mostRps, mostCap } = live(limiter, 20_000, () => timeOuts, 2)
    expect(mostRps).toBeLessThanOrEqual(before.fillRate)
    expect(mostCap).toBeLessThanOrEqual(before.inFlightCap)
    expect(limiter.state.breaker.opens).toBeGreaterThan(0)
  })
})

describe('case B21: errors after ten milliseconds', () => {
  it('never raise the rate, nor count as quick answers', () => {
    const limiter = new LimiterAt({ strategy: 'adaptive', initialRps: 2 })
    live(limiter, 1000, () => ({ ok: 1, latency: { count: 1, meanMs: 800, p95Ms: 800 } }), 1)
    const before = fullRate(limiter.state)
    const { mostRps } = live(limiter, 30_000, () => ({ failed: 1, failuresInARow: 1 }), 1)
    expect(mostRps).toBeLessThanOrEqual(before)
    expect(snapshotOf(limiter.state).avgLatency).toBe(800)
  })
})
