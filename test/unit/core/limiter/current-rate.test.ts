/** The strategy's wish within its bounds, and what follows from the rate. */
import { describe, expect, it } from 'vitest'
import {
  currentInFlight,
  currentRate,
  fullRate,
  perLease,
  tokensOf,
} from '../../../../src/core/limiter/current-rate.ts'
import type { DomainPolicy } from '../../../../src/core/limiter/policy.ts'
import { LimiterAt } from './limiter-at.ts'

const rateOf = (policy: Partial<DomainPolicy>) => fullRate(new LimiterAt(policy).state)

describe('the rate', () => {
  it('is what the strategy wants', () => {
    expect(rateOf({ strategy: 'adaptive', initialRps: 3 })).toBe(3)
  })

  it('is never above maxRps, nor below minRps', () => {
    expect(rateOf({ strategy: 'adaptive', initialRps: 30, maxRps: 20 })).toBe(20)
    expect(rateOf({ strategy: 'adaptive', initialRps: 0.01, minRps: 0.05 })).toBe(0.05)
  })

  it('keeps the crawl delay, also when minRps is faster', () => {
    expect(rateOf({ maxRps: 10, minSpacingMs: 500 })).toBe(2)
    expect(rateOf({ maxRps: 10, minRps: 5, minSpacingMs: 500 })).toBe(2)
  })

  it('keeps what the server publishes, until that is too old to be relied on', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    const lease = limiter.granted('a', 20)
    limiter.report('a', lease, { ok: 1, published: [{ quota: 120, windowMs: 60_000 }] })
    expect(fullRate(limiter.state)).toBeCloseTo(1.98)
    limiter.nowMs += 59_999
    limiter.send({ kind: 'tick' })
    expect(fullRate(limiter.state)).toBeCloseTo(1.98)
    limiter.nowMs += 1
    limiter.send({ kind: 'tick' })
    expect(fullRate(limiter.state)).toBe(10)
  })

  it('is halved for one slot after a wait the server asked for', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    limiter.refused(limiter.granted('a', 20), 5000)
    limiter.nowMs += 5000
    limiter.send({ kind: 'tick' })
    expect([currentRate(limiter.state), fullRate(limiter.state)]).toEqual([5, 10])
    limiter.nowMs += 2000
    limiter.send({ kind: 'tick' })
    expect(currentRate(limiter.state)).toBe(10)
  })
})

describe('requests on their way at once', () => {
  const capOf = (policy: Partial<DomainPolicy>, meanMs?: number) => {
    const limiter = new LimiterAt(policy)
    const latency = { count: 1, meanMs: meanMs ?? 0, p95Ms: meanMs ?? 0 }
    if (meanMs !== undefined) limiter.report('a', limiter.granted('a', 1), { ok: 1, latency })
    return currentInFlight(limiter.state)
  }

  it('are twice what the rate needs at the present latency, and one', () => {
    expect(capOf({ maxRps: 10 }, 600)).toBe(13)
  })

  it('are as many as a good answer may take time for, before any was seen', () => {
    expect(capOf({ maxRps: 10, latencyTargetMs: 1000 })).toBe(21)
  })

  it('are at most maxInFlight, and at least enough to send at all', () => {
    expect(capOf({ maxRps: 10, maxInFlight: 3 }, 600)).toBe(3)
    expect(capOf({ maxRps: 0.05 }, 1)).toBe(2)
  })

  it('case B29: when answers become quick the rate is still what bounds', () => {
    const limiter = new LimiterAt({ maxRps: 10, maxInFlight: 4 })
    let lease = limiter.granted('a', 20)
    for (const meanMs of [2500, 200]) {
      const latency = { count: 20, meanMs, p95Ms: meanMs }
      limiter.report('a', lease, { ok: 20, latency })
      limiter.nowMs += 2000
      expect(fullRate(limiter.state)).toBe(10)
      lease = limiter.granted('a', 1000)
      expect(lease).toMatchObject({ permits: 20, spacingMs: 100 })
    }
  })
})

it('a lease has a slot of permits, one at least, and never more than the bucket', () => {
  const { policy } = new LimiterAt({ slotMs: 2000 }).state
  expect([0.1, 0.5, 1.4, 20].map((rps) => perLease(rps, policy))).toEqual([1, 1, 2, 40])
  expect(perLease(20, { ...policy, tokenBucketCapacity: 5 })).toBe(5)
})

describe('step 2: tokens', () => {
  it('are what a lease asked for now would find free in the schedule', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    expect(tokensOf(limiter.state)).toBe(30)
    limiter.granted('a', 12)
    expect(tokensOf(limiter.state)).toBe(18)
    limiter.nowMs += 500
    limiter.send({ kind: 'tick' })
    expect(tokensOf(limiter.state)).toBe(23)
  })

  it('case B11: are no more after twelve idle hours', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    limiter.nowMs += 12 * 3_600_000
    expect(limiter.granted('a', 1000).permits).toBe(20)
    expect(tokensOf(limiter.state)).toBe(10)
    expect(limiter.acquire('b', 1000).granted).toBe(false)
  })

  it('case B12: lose no fraction, at 1.9 of them a millisecond and somebody who asks in each', () => {
    const limiter = new LimiterAt({ maxRps: 1900, slotMs: 250 })
    let permits = 0
    for (let ms = 0; ms < 1500; ms += 1) {
      const reply = limiter.acquire('a', 4)
      // By then nothing is left of what was there at first.
      if (reply.granted && ms >= 500) permits += reply.permits
      limiter.nowMs += 1
    }
    expect(Math.abs(permits - 1900)).toBeLessThanOrEqual(1.9)
  })

  it('case B14: are not filled up by the same policy said again', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    limiter.granted('a', 1000)
    const before = tokensOf(limiter.state)
    limiter.send({ kind: 'policy', policy: { ...limiter.state.policy } })
    expect(tokensOf(limiter.state)).toBe(before)
    expect(limiter.acquire('b', 1000).granted).toBe(false)
  })
})
