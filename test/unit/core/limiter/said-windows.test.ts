import { expect, test } from 'vitest'
import type { Adaptive } from '../../../../src/core/limiter/adaptive-state.ts'
import { adaptive } from '../../../../src/core/limiter/adaptive.ts'
import { newMeasure } from '../../../../src/core/limiter/limit-measure.ts'
import { defaultPolicy } from '../../../../src/core/limiter/policy.ts'
import type { Refused, Situation } from '../../../../src/core/limiter/strategy.ts'

function at(nowMs: number): Situation {
  return { policy: defaultPolicy('example.org'), nowMs, isSlow: false, ceilingRps: null }
}

function refusedAt(nowMs: number, streak: number, askedMs: number): Refused {
  return { ...at(nowMs), streak, askedMs }
}

/** Holds a rate since an event at 0. */
function holding(burstMs: number, more: Partial<Adaptive>): Adaptive {
  const measure = { ...newMeasure, eventMs: 0, burstMs }
  return { ...adaptive.start(at(0)), mode: 'hold', isSettled: true, measure, ...more }
}

test('of a server that opens twice when it said it would, what fitted in between is the limit', () => {
  const shutAt = (state: Adaptive, nowMs: number): Adaptive => {
    const shut = adaptive.onRefusal(state, refusedAt(nowMs, 1, 10_000))
    return adaptive.onReopened(shut, { ...at(nowMs + 10_000), streak: 1, shutMs: 10_000 })
  }
  const once = shutAt(holding(1_000, { rps: 30, highRps: 30 }), 50_000)
  expect(once.windowMs).toBe(0)
  const twice = shutAt({ ...once, sinceOpened: 1_200 }, 110_000)
  expect(twice).toMatchObject({ mode: 'hold', windowMs: 60_000 })
  expect(twice.rps).toBeCloseTo(20, 9)
})

test('a probe that fails after several windows leaves the rate as it was, if the server said when it opens', () => {
  const afterProbe = (askedMs: number): Adaptive => {
    const window = { openedMs: 120_000, openedAsSaid: true, sinceOpened: 5_600, windowMs: 60_000 }
    const measure = { ...newMeasure, eventMs: 120_000, resumedMs: 120_000, accepted: 5_600 }
    const probing = holding(1_000, { ...window, measure, mode: 'probe', rps: 24, heldRps: 19.8 })
    const shut = adaptive.onRefusal({ ...probing, lowRps: 19.8 }, refusedAt(410_000, 1, askedMs))
    return adaptive.onReopened(shut, { ...at(420_500), streak: 1, shutMs: 10_500 })
  }
  expect(afterProbe(10_000).rps).toBeCloseTo(19.8, 9)
  expect(afterProbe(0).rps).toBeLessThan(19.5)
})
