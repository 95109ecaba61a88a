import { describe, expect, it } from 'vitest'
import type { Adaptive } from '../../../../src/core/limiter/adaptive-state.ts'
import { adaptive } from '../../../../src/core/limiter/adaptive.ts'
import { newMeasure } from '../../../../src/core/limiter/limit-measure.ts'
import { defaultPolicy, type DomainPolicy } from '../../../../src/core/limiter/policy.ts'
import type { Refused, Situation } from '../../../../src/core/limiter/strategy.ts'

const policy: DomainPolicy = { ...defaultPolicy('example.org'), initialRps: 1, maxRps: 1_000 }

function at(nowMs: number, ceilingRps: number | null = null): Situation {
  return { policy, nowMs, isSlow: false, ceilingRps }
}

function refusedAt(nowMs: number, ceilingRps: number | null = null): Refused {
  return { ...at(nowMs, ceilingRps), streak: 1, askedMs: 0 }
}

/** Holds 19/s since an event at 0, and tries 23/s. */
function probing(burstMs: number, more: Partial<Adaptive> = {}): Adaptive {
  return {
    ...adaptive.start(at(0)),
    mode: 'probe',
    rps: 23,
    lowRps: 19,
    heldRps: 19,
    isSettled: true,
    measure: { ...newMeasure, eventMs: 0, resumedMs: 0, accepted: 1_900, burstMs },
    ...more,
  }
}

describe('after a probe that failed', () => {
  it('a little more is held, as the limit is somewhere between the two rates', () => {
    const refused = adaptive.onRefusal(probing(1_000), refusedAt(100_000))
    expect(refused.mode).toBe('hold')
    expect(refused.rps).toBeCloseTo(1.02 * 19, 9)
  })

  it('no more is held than a hundredth below a rate that was refused while it was held', () => {
    const held: Adaptive = { ...probing(1_000), mode: 'hold', rps: 19.3 }
    const topped = adaptive.onRefusal(held, refusedAt(100_000))
    expect(topped.rps).toBeLessThan(19.3)
    const again = adaptive.onRefusal({ ...probing(1_000), toppedRps: 19.3 }, refusedAt(100_000))
    expect(topped.toppedRps).toBe(19.3)
    expect(again.rps).toBeCloseTo(0.99 * 19.3, 9)
    const below = adaptive.onRefusal({ ...probing(1_000), toppedRps: 19.1 }, refusedAt(100_000))
    expect(below.rps).toBe(19)
  })

  it.each([
    ['a strict server', probing(0)],
    ['a server that counts in windows', probing(1_000, { windowMs: 60_000 })],
  ])('%s is asked no more than had held', (_, state) => {
    expect(adaptive.onRefusal(state, refusedAt(100_000)).rps).toBe(19)
  })

  it('one more refusal is what the probe left behind; after a second the limit has fallen', () => {
    const failed = adaptive.onRefusal(probing(1_000), refusedAt(100_000))
    const measure = { ...failed.measure, resumedMs: 100_200, accepted: 6 }
    const once = adaptive.onRefusal({ ...failed, measure }, refusedAt(101_000))
    expect(once).toMatchObject({ mode: 'hold' })
    expect(once.rps).toBeCloseTo(0.99 * failed.rps, 9)
    const twice = adaptive.onRefusal(once, refusedAt(101_500))
    expect(twice).toMatchObject({ mode: 'narrow' })
    expect(twice.rps).toBeLessThan(11)
  })
})

describe('the first refusal of all', () => {
  it('below what the server publishes was of requests that clumped, and costs a tenth', () => {
    const start = adaptive.start(at(0, 20))
    const refused = adaptive.onRefusal(start, refusedAt(3_000, 20))
    expect(refused.rps).toBeCloseTo(0.99 * 0.92 * 18, 9)
    expect(adaptive.onRefusal(start, refusedAt(3_000)).rps).toBeCloseTo(0.99 * 0.7 * 18, 9)
  })
})
