import { expect, test, describe } from 'vitest'
import type { Adaptive } from '../../../../src/core/limiter/adaptive-state.ts'
import { adaptive } from '../../../../src/core/limiter/adaptive.ts'
import { aimd } from '../../../../src/core/limiter/aimd.ts'
import { fixed } from '../../../../src/core/limiter/fixed.ts'
import { newMeasure } from '../../../../src/core/limiter/limit-measure.ts'
import { multiplier } from '../../../../src/core/limiter/multiplier.ts'
import { defaultPolicy, type DomainPolicy } from '../../../../src/core/limiter/policy.ts'
import type { Refused, Situation, Strategy } from '../../../../src/core/limiter/strategy.ts'

const policy: DomainPolicy = { ...defaultPolicy('example.org'), initialRps: 1, maxRps: 1_000 }

function at(nowMs: number, more: Partial<Situation> = {}): Situation {
  return { policy, nowMs, isSlow: false, ceilingRps: null, ...more }
}

function refusedAt(nowMs: number, streak = 1, askedMs = 0): Refused {
  return { ...at(nowMs), streak, askedMs }
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
    const refused = adaptive.onRefusal(fast, refusedAt(10_100, 1))
    expect(refused.mode).toBe('narrow')
    expect(refused.rps).toBeCloseTo((fast.rps / 2) * 0.99, 6)
  })

  test('measures the limit by what was accepted between two refusals', () => {
    const first = adaptive.onRefusal(
      { ...adaptive.start(at(0)), rps: 20.5, lowRps: 20.3 },
      refusedAt(1_000),
    )
    const results = { accepted: 400, leaseRps: 20.4, leaseStartMs: 1_000 }
    const fed: Adaptive = {
      ...adaptive.onResults(first, results, at(20_900)),
      mode: 'narrow',
      rps: 20.4,
    }
    const second = adaptive.onRefusal(fed, refusedAt(21_000, 1))
    expect(second.mode).toBe('hold')
    expect(second.rps).toBeGreaterThan(19.5)
    expect(second.rps).toBeLessThan(20.1)
  })

  test('case B1: further refusals of the same closure change no rate', () => {
    const refused = adaptive.onRefusal(adaptive.start(at(0)), refusedAt(1_000, 1))
    const again = adaptive.onRefusal(refused, refusedAt(2_000, 2))
    expect(again.rps).toBe(refused.rps)
    expect(adaptive.isSoft(again)).toBe(false)
  })

  test('is not sped up by answers that were slow, nor by a demand that left the rate unused', () => {
    const start = adaptive.start(at(0))
    const results = { accepted: 2, leaseRps: 1, leaseStartMs: 0 }
    const twenty = { ...results, accepted: 20 }
    const slow = adaptive.onResults(start, twenty, at(20_000, { isSlow: true }))
    expect(slow.rps).toBe(1)
    // A tenth of what was allowed, for long enough and often enough.
    expect(adaptive.onResults(start, { ...results, accepted: 40 }, at(400_000)).rps).toBe(1)
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
    const shut = adaptive.onRefusal(fast, refusedAt(20_000, 1))
    const still = adaptive.onRefusal(shut, refusedAt(58_000, 5))
    const open = adaptive.onReopened(still, { ...at(60_500), streak: 2, shutMs: 40_500 })
    expect(open.mode).toBe('hold')
    expect(open.rps).toBeCloseTo((0.99 * 1_200) / 58, 3)
  })

  test('starts anew at nine tenths of a limit its first answer publishes', () => {
    const results = { accepted: 1, leaseRps: 1, leaseStartMs: 0 }
    const next = adaptive.onResults(adaptive.start(at(0)), results, at(500, { ceilingRps: 19.8 }))
    expect(next.rps).toBeCloseTo(17.82, 9)
  })
})

describe('adaptive, holding', () => {
  /** Holds 20/s since an event at 0; a probe is due. */
  const holding = (burstMs: number, more: Partial<Adaptive> = {}): Adaptive => ({
    ...adaptive.start(at(0)),
    mode: 'hold',
    rps: 20,
    heldRps: 20,
    isSettled: true,
    measure: { ...newMeasure, eventMs: 0, burstMs },
    nextProbeMs: 1_000,
    ...more,
  })
  const probed = (state: Adaptive): Adaptive =>
    adaptive.onResults(state, { accepted: 200, leaseRps: 20, leaseStartMs: 0 }, at(10_000))

  test.each([
    [0, 20.4],
    [1_000, 24.5],
    [5_000, 25],
  ])('probes as high as outlasts what a server of %d ms has saved up', (burstMs, rps) => {
    expect(probed(holding(burstMs))).toMatchObject({ mode: 'probe', heldRps: 20 })
    expect(probed(holding(burstMs)).rps).toBeCloseTo(rps, 9)
  })

  test('a probe that fails costs nothing but the probe, and the next comes later', () => {
    const probing = probed(holding(1_000, { toppedRps: 20.2 }))
    const refused = adaptive.onRefusal(probing, refusedAt(15_000))
    expect(refused).toMatchObject({ mode: 'hold', rps: 20 })
    expect(refused.spacingMs).toBeGreaterThan(probing.spacingMs)
    expect(adaptive.isSoft(refused)).toBe(true)
  })

  test('a probe that fails for the first time is followed by one a little above what held', () => {
    const refused = adaptive.onRefusal(
      probed(holding(1_000, { isSettled: false })),
      refusedAt(15_000),
    )
    expect(refused).toMatchObject({ mode: 'narrow', rps: 20 * 1.04, isSettled: true })
  })

  test('a probe holds only once more was accepted since the last event than the old rate gives', () => {
    const probing = probed(
      holding(1_000, { measure: { ...newMeasure, eventMs: -5_000, burstMs: 1_000 } }),
    )
    const results = { accepted: 240, leaseRps: 24.5, leaseStartMs: 10_000 }
    expect(adaptive.onResults(probing, results, at(20_000)).rps).toBe(probing.rps)
    const enough = { ...results, accepted: 320 }
    expect(adaptive.onResults(probing, enough, at(20_000)).rps).toBeGreaterThan(30)
  })

  test('a limit that has fallen far is found in a few refusals, and the former one remembered', () => {
    let state = holding(1_000, { measure: { ...newMeasure, eventMs: 0, accepted: 2_000 } })
    let refusals = 0
    for (let nowMs = 100_000; state.rps > 5; nowMs += 300) {
      state = adaptive.onRefusal(state, refusedAt(nowMs))
      refusals += 1
    }
    expect(refusals).toBeLessThanOrEqual(7)
    expect(state.former?.rps).toBeGreaterThan(19)
  })

  test('one refusal at once after another may be chance and costs a hundredth, a second one does not', () => {
    const state = holding(0, { measure: { ...newMeasure, eventMs: 9_000, accepted: 2 } })
    const once = adaptive.onRefusal(state, refusedAt(10_000))
    expect(once).toMatchObject({ mode: 'hold', rps: 19.8 })
    expect(adaptive.onRefusal(once, refusedAt(10_300)).rps).toBeLessThan(14)
  })

  test('a far lower rate accepted since the last event is believed at once', () => {
    const measure = { ...newMeasure, eventMs: 8_000, resumedMs: 8_000, accepted: 10 }
    const refused = adaptive.onRefusal(holding(1_000, { measure }), refusedAt(10_000))
    expect(refused).toMatchObject({ mode: 'narrow' })
    expect(refused.rps).toBeCloseTo(0.99 * 10, 9)
  })

  test('after a fall every second probe tries the former rate', () => {
    const former = { rps: 40, atMs: 0, isNext: true }
    const probing = probed(holding(1_000, { former, toppedRps: 20.2 }))
    expect(probing.rps).toBeCloseTo(39.6, 9)
    const refused = adaptive.onRefusal(probing, refusedAt(15_000))
    expect(refused).toMatchObject({ rps: 20, former: { isNext: false } })
    const later: Adaptive = { ...refused, nextProbeMs: 0 }
    const results = { accepted: 400, leaseRps: 20, leaseStartMs: 15_000 }
    const next = adaptive.onResults(later, results, at(35_000))
    expect(next.mode).toBe('probe')
    expect(next.rps).toBeLessThan(25)
  })

  test('what is reported after an event as accepted before it makes its measurement better', () => {
    const measure = { ...newMeasure, eventMs: 0, resumedMs: 0, accepted: 380, burstMs: 1_000 }
    const refused = adaptive.onRefusal(holding(1_000, { measure }), refusedAt(20_000))
    expect(refused.rps).toBeCloseTo(19.6, 9)
    const late = { accepted: 20, fromMs: 18_000, toMs: 20_000 }
    expect(adaptive.onLate(refused, late).rps).toBeCloseTo(19.8, 9)
  })

  test('case B28: a lag that outlasts its Retry-After again and again has measured nothing', () => {
    const measure = { ...newMeasure, eventMs: 0, resumedMs: 0, accepted: 6_000, burstMs: 1_000 }
    let state = holding(1_000, { measure, sinceOpened: 6_000 })
    for (let streak = 1; streak <= 5; streak += 1) {
      state = adaptive.onRefusal(state, refusedAt(300_000 + streak * 10_000, streak, 5_000))
    }
    const open = adaptive.onReopened(state, { ...at(360_000), streak: 5, shutMs: 50_000 })
    expect([open.windowMs, open.rps > 19.5]).toEqual([0, true])
  })

  test('shut for long just after it had opened, it has shown no window', () => {
    for (const known of [{ sinceOpened: 1 }, { sinceOpened: 100, windowMs: 53_000 }]) {
      const opened = holding(1_000, { openedMs: 300_000, ...known })
      const shut = adaptive.onRefusal(opened, refusedAt(300_900))
      const open = adaptive.onReopened(shut, { ...at(308_000), streak: 1, shutMs: 7_100 })
      expect(open.rps).toBeGreaterThan(18)
    }
  })
})

describe('step 3: aimd', () => {
  test('grows by its step per second, however many answers come', () => {
    const grown = sendFor(aimd, aimd.start(at(0)), 0, 10)
    expect(grown.rps).toBeCloseTo(1 + 10 * policy.aimdIncrease, 6)
  })

  test('is cut by its factor once per event, never below the least rate', () => {
    const cut = aimd.onRefusal({ rps: 10, grownMs: 0 }, refusedAt(0, 1))
    expect(cut.rps).toBe(10 * policy.aimdDecrease)
    expect(aimd.onRefusal({ rps: 0.01, grownMs: 0 }, refusedAt(0, 1)).rps).toBe(policy.minRps)
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
    const once = multiplier.onRefusal(start, refusedAt(1, 1))
    const twice = multiplier.onRefusal(once, refusedAt(2, 1))
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
      state = multiplier.onRefusal(state, refusedAt(event, 1))
    }
    expect(multiplier.rate(state, policy)).toBeCloseTo(policy.minRps, 9)
  })
})

test('fixed keeps its rate, whatever happens', () => {
  const state = fixed.onRefusal(fixed.start(at(0)), refusedAt(1, 1))
  expect(fixed.rate(fixed.slowDown(state, 0.5, policy), policy)).toBe(policy.maxRps)
})
