import { expect, test, describe } from 'vitest'
import { adaptive, type Adaptive } from '../../../../src/core/limiter/adaptive.ts'
import { aimd } from '../../../../src/core/limiter/aimd.ts'
import { fixed } from '../../../../src/core/limiter/fixed.ts'
import { multiplier } from '../../../../src/core/limiter/multiplier.ts'
import { defaultPolicy, type DomainPolicy } from '../../../../src/core/limiter/policy.ts'
import type { Situation, Strategy } from '../../../../src/core/limiter/strategy.ts'

const policy: DomainPolicy = { ...defaultPolicy('example.org'), initialRps: 1, maxRps: 1_000 }

function at(nowMs: number, more: Partial<Situation> = {}): Situation {
  return { policy, nowMs, isSlow: false, ceilingRps: null, ...more }
}

/** Sends at the strategy's own rate, a report every two seconds, to a server that takes everything. */
function sendFor<S>(strategy: Strategy<S>, from: S, startMs: number, seconds: number): S {
  let state = from
  for (let nowMs = startMs + 2_000; nowMs <= startMs + seconds * 1_000; nowMs += 2_000) {
    const domainRps = strategy.rate(state, policy)
    const results = { accepted: domainRps * 2, leaseRps: domainRps, leaseStartMs: nowMs - 2_000 }
    state = strategy.onResults(state, results, at(nowMs))
  }
  return state
}

describe('adaptive', () => {
  test('doubles while nothing is refused, up to the most the policy allows', () => {
    const start = adaptive.start(at(0))
    expect(adaptive.rate(start, policy)).toBe(1)
    expect(adaptive.rate(sendFor(adaptive, start, 0, 12), policy)).toBeGreaterThanOrEqual(16)
    const capped = sendFor(adaptive, start, 0, 120)
    expect(adaptive.rate(capped, policy)).toBe(1_000)
    expect(adaptive.mode(capped)).toBe('hold')
  })

  test('starts at nine tenths of a limit the server publishes, and never tries more than it', () => {
    const start = adaptive.start(at(0, { ceilingRps: 10 }))
    expect(adaptive.rate(start, policy)).toBe(9)
    const results = { accepted: 18, leaseRps: 9, leaseStartMs: 0 }
    const next = adaptive.onResults(start, results, at(2_000, { ceilingRps: 10 }))
    expect(adaptive.rate(next, policy)).toBe(10)
  })

  test('goes back to the last rate that held when it is first refused', () => {
    const fast = sendFor(adaptive, adaptive.start(at(0)), 0, 10)
    const refused = adaptive.onRefusal(fast, { ...at(10_100), streak: 1 })
    expect(refused.mode).toBe('narrow')
    expect(refused.rps).toBeCloseTo((fast.rps / 2) * 0.99, 6)
  })

  test('measures the limit by what was accepted between two refusals', () => {
    const first = adaptive.onRefusal(
      { ...adaptive.start(at(0)), rps: 20.5, lowRps: 20.3 },
      {
        ...at(1_000),
        streak: 1,
      },
    )
    const results = { accepted: 400, leaseRps: 20.4, leaseStartMs: 1_000 }
    const fed: Adaptive = {
      ...adaptive.onResults(first, results, at(20_900)),
      mode: 'narrow',
      rps: 20.4,
    }
    const second = adaptive.onRefusal(fed, { ...at(21_000), streak: 1 })
    expect(second.mode).toBe('hold')
    expect(second.rps).toBeGreaterThan(19.5)
    expect(second.rps).toBeLessThan(20.1)
  })

  test('case B1: further refusals of the same closure change no rate', () => {
    const refused = adaptive.onRefusal(adaptive.start(at(0)), { ...at(1_000), streak: 1 })
    const again = adaptive.onRefusal(refused, { ...at(2_000), streak: 2 })
    expect(again.rps).toBe(refused.rps)
    expect(adaptive.isSoft(again)).toBe(false)
  })

  test('is not sped up by answers that were slow, nor by a demand that left the rate unused', () => {
    const start = adaptive.start(at(0))
    const results = { accepted: 2, leaseRps: 1, leaseStartMs: 0 }
    const slow = adaptive.onResults(
      start,
      { ...results, accepted: 20 },
      at(20_000, { isSlow: true }),
    )
    expect(slow.rps).toBe(1)
    // A tenth of what was allowed, for long enough and often enough.
    const idle = adaptive.onResults(start, { ...results, accepted: 40 }, at(400_000))
    expect(idle.rps).toBe(1)
  })

  test('case B22: a rate far below one request a slot is still tried and raised', () => {
    let state = adaptive.start(at(0, { policy: { ...policy, initialRps: 0.1 } }))
    for (let nowMs = 10_000; nowMs <= 60_000; nowMs += 10_000) {
      const results = { accepted: 1, leaseRps: state.rps, leaseStartMs: nowMs - 10_000 }
      state = adaptive.onResults(state, results, at(nowMs))
    }
    expect(state.rps).toBeGreaterThan(0.1)
  })

  test('a server that stays shut for long counts in windows: what fitted into one is its limit', () => {
    const fast: Adaptive = { ...adaptive.start(at(0)), rps: 100, sinceOpened: 1_200 }
    const shut = adaptive.onRefusal(fast, { ...at(20_000), streak: 1 })
    const still = adaptive.onRefusal(shut, { ...at(58_000), streak: 5 })
    const open = adaptive.onReopened(still, { ...at(60_500), shutMs: 40_500 })
    expect(open.mode).toBe('hold')
    expect(open.rps).toBeCloseTo((0.99 * 1_200) / 58, 3)
  })

  test('a probe that fails costs nothing but the probe, and the next comes later', () => {
    const holding: Adaptive = {
      ...adaptive.start(at(0)),
      mode: 'hold',
      rps: 20,
      markMs: 0,
      nextProbeMs: 1_000,
    }
    const results = { accepted: 200, leaseRps: 20, leaseStartMs: 0 }
    const probing = adaptive.onResults(holding, results, at(10_000))
    expect(probing).toMatchObject({ mode: 'probe', heldRps: 20 })
    expect(probing.rps).toBeCloseTo(20.4, 6)
    const refused = adaptive.onRefusal(probing, { ...at(15_000), streak: 1 })
    expect(refused).toMatchObject({ mode: 'hold', rps: 20 })
    expect(refused.spacingMs).toBeGreaterThan(probing.spacingMs)
    expect(adaptive.isSoft(refused)).toBe(true)
  })

  test('a limit that has fallen far is found in a few refusals', () => {
    let state: Adaptive = {
      ...adaptive.start(at(0)),
      mode: 'hold',
      rps: 20,
      markMs: 0,
      sinceMark: 2_000,
    }
    let refusals = 0
    for (let nowMs = 100_000; state.rps > 5; nowMs += 300) {
      state = adaptive.onRefusal(state, { ...at(nowMs), streak: 1 })
      refusals += 1
    }
    expect(refusals).toBeLessThanOrEqual(6)
    expect(state.formerRps).toBeGreaterThan(19)
  })
})

describe('step 3: aimd', () => {
  test('grows by its step per second, however many answers come', () => {
    const grown = sendFor(aimd, aimd.start(at(0)), 0, 10)
    expect(grown.rps).toBeCloseTo(1 + 10 * policy.aimdIncrease, 6)
  })

  test('is cut by its factor once per event, never below the least rate', () => {
    const cut = aimd.onRefusal({ rps: 10, grownMs: 0 }, { ...at(0), streak: 1 })
    expect(cut.rps).toBe(10 * policy.aimdDecrease)
    expect(aimd.onRefusal({ rps: 0.01, grownMs: 0 }, { ...at(0), streak: 1 }).rps).toBe(
      policy.minRps,
    )
  })

  test('does not grow while answers are slow, nor for time in which nothing was sent', () => {
    const start = aimd.start(at(0))
    const results = { accepted: 10, leaseRps: 1, leaseStartMs: 0 }
    expect(aimd.onResults(start, results, at(9_000, { isSlow: true })).rps).toBe(1)
    const late = { accepted: 1, leaseRps: 1, leaseStartMs: 99_000 }
    expect(aimd.onResults(start, late, at(100_000)).rps).toBeCloseTo(1.2, 6)
  })
})

describe('multiplier', () => {
  test('backs off by a half, deeper with each refusal, and recovers a tenth per ten successes', () => {
    const start = multiplier.start(at(0))
    const once = multiplier.onRefusal(start, { ...at(1), streak: 1 })
    const twice = multiplier.onRefusal(once, { ...at(2), streak: 1 })
    expect([start, once, twice].map((state) => state.backoffMultiplier)).toEqual([1, 1.5, 2.25])
    expect([start, once, twice].map((state) => multiplier.mode(state))).toEqual([
      'normal',
      'backed_off',
      'deep_backoff',
    ])
    const results = { accepted: 9, leaseRps: 1, leaseStartMs: 0 }
    const nine = multiplier.onResults(twice, results, at(3))
    expect(nine).toMatchObject({ backoffMultiplier: 2.25, consecutiveSuccesses: 9 })
    expect(multiplier.mode(nine)).toBe('recovering')
    const ten = multiplier.onResults(nine, { ...results, accepted: 1 }, at(4))
    expect(ten).toMatchObject({ backoffMultiplier: 2.25 * 0.9, consecutiveSuccesses: 0 })
    const many = multiplier.onResults(ten, { ...results, accepted: 1_000 }, at(5))
    expect(many.backoffMultiplier).toBe(1)
    expect(many.total429Count).toBe(2)
  })

  test('never slows down below the least rate of the policy', () => {
    let state = multiplier.start(at(0))
    for (let event = 0; event < 100; event += 1) {
      state = multiplier.onRefusal(state, { ...at(event), streak: 1 })
    }
    expect(multiplier.rate(state, policy)).toBeCloseTo(policy.minRps, 9)
  })
})

test('fixed keeps its rate, whatever happens', () => {
  const state = fixed.onRefusal(fixed.start(at(0)), { ...at(1), streak: 1 })
  expect(fixed.rate(fixed.slowDown(state, 0.5, policy), policy)).toBe(policy.maxRps)
})
