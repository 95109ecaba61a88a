/** An upgrade: new code finds what older code has left. None of it may stop a limiter. */
import { describe, expect, it } from 'vitest'
import { readLoaded, takeOver, wholePolicy } from '../../../../src/core/limiter/carry-over.ts'
import { initialState, STEP_VERSION } from '../../../../src/core/limiter/limiter-state.ts'
import { defaultPolicy } from '../../../../src/core/limiter/policy.ts'
import { snapshotOf } from '../../../../src/core/limiter/snapshot.ts'
import { LimiterAt } from './limiter-at.ts'

const DOMAIN = 'example.org'
const HOUR_MS = 3_600_000

/** A limiter that has sent, was told to wait for an hour and was paused by hand. */
function old(): LimiterAt {
  const limiter = new LimiterAt({ maxRps: 10 })
  const lease = limiter.granted('a', 20)
  limiter.report('a', lease, { ok: 5, throttled: 1, retryAfterMs: HOUR_MS })
  limiter.send({ kind: 'pause', request: { reason: 'maintenance' } })
  return limiter
}

describe('a state of this version', () => {
  it('is taken over whole, also after a way through JSON', () => {
    const { state, nowMs } = old()
    const stored: unknown = JSON.parse(JSON.stringify(state))
    expect(takeOver(stored, DOMAIN, nowMs)).toEqual({ state, problem: null })
  })

  it('with a policy from before a field came has that field as shipped', () => {
    const { state, nowMs } = old()
    const { retryAfterCapMs, ...fewer } = state.policy
    const taken = takeOver({ ...state, policy: fewer }, DOMAIN, nowMs)
    expect(taken.state?.policy).toEqual({ ...state.policy, retryAfterCapMs })
  })

  it('that is missing is nothing to talk about', () => {
    for (const nothing of [null, undefined]) {
      expect(takeOver(nothing, DOMAIN, 0)).toEqual({ state: null, problem: null })
    }
  })
})

describe('a state of an older version', () => {
  const { state, nowMs } = old()
  const { window: _, ...withoutWindow } = state
  const older: [string, unknown][] = [
    ['of another number', { ...state, stepVersion: STEP_VERSION - 1 }],
    ['of the same number but another shape', withoutWindow],
    ['with a field of another kind', { ...state, workers: [], ended: {} }],
    ['that `step` cannot digest', { ...state, workers: { a: null } }],
  ]

  it.each(older)('%s leaves its pause, its wait and its counts, and says so', (__, stored) => {
    const { state: taken, problem } = takeOver(stored, DOMAIN, nowMs + HOUR_MS / 2)
    expect(problem).toContain('its pause, wait and counts are kept')
    const next = new LimiterAt({ maxRps: 10 }, nowMs + HOUR_MS / 2)
    next.state = initialState(DOMAIN, next.state.policy, next.nowMs)
    next.send({ kind: 'restored', saved: taken })
    expect(next.acquire('b', 5)).toMatchObject({ granted: false, reason: 'paused' })
    expect(next.state.totals).toMatchObject({ sent: 6, refused: 1 })
    next.state = { ...next.state, pausedBecause: null }
    const reply = next.acquire('b', 5)
    expect(reply).toMatchObject({ reason: 'retry_after', askAgainMs: HOUR_MS / 2 })
    next.nowMs += HOUR_MS / 2
    expect(next.acquire('b', 5).granted).toBe(true)
  })

  it('of another number leaves it to the operator where to begin', () => {
    const laterMs = nowMs + 2 * HOUR_MS
    const next = new LimiterAt({ strategy: 'adaptive', initialRps: 1 }, laterMs)
    const { policy } = next.state
    next.state = initialState(DOMAIN, policy, next.nowMs)
    const older = { ...state, stepVersion: STEP_VERSION - 1 }
    const { state: taken } = takeOver(older, DOMAIN, laterMs)
    next.send({ kind: 'restored', saved: taken })
    // What was set by hand comes with the answer that brought the state.
    next.send({ kind: 'policy', policy: { ...policy, initialRps: 5 } })
    expect(snapshotOf(next.state).fillRate).toBe(5)
  })

  it.each([
    ['text', 'x'],
    ['a list', []],
    ['nothing known', {}],
    ['another domain', { ...state, domain: 'other.org' }],
  ])('that is %s leaves nothing, and says so', (__, stored) => {
    const taken = takeOver(stored, DOMAIN, nowMs)
    expect(taken.state).toBeNull()
    expect(taken.problem).toContain('nothing of it is kept')
  })
})

describe('what the loading activity answered', () => {
  const starters = defaultPolicy(DOMAIN)

  it.each([
    ['null, as the first version did', null, null],
    ['nothing', undefined, null],
    ['the bare state, as the first version did', old().state, old().state],
  ])('%s: the policy is that of the starter', (_, loaded, state) => {
    expect(readLoaded(loaded, starters)).toEqual({ state, policy: starters, pausedBecause: null })
  })

  it('as it is now is passed on', () => {
    const loaded = { state: null, policy: { ...starters, maxRps: 3 }, pausedBecause: 'maintenance' }
    expect(readLoaded(loaded, starters)).toEqual(loaded)
  })

  it('with a policy that lacks fields has those of the starter', () => {
    const loaded = { state: null, policy: { maxRps: 3 }, pausedBecause: 7 }
    expect(readLoaded(loaded, starters)).toEqual({
      state: null,
      policy: { ...starters, maxRps: 3 },
      pausedBecause: null,
    })
  })
})

it('a policy that lacks fields, or none at all, is made whole from the shipped one', () => {
  const shipped = defaultPolicy(DOMAIN)
  expect(wholePolicy(DOMAIN, undefined)).toEqual(shipped)
  expect(wholePolicy(DOMAIN, { maxRps: 3 })).toEqual({ ...shipped, maxRps: 3 })
  const limiter = new LimiterAt({ maxRps: 10 })
  const { retryAfterCapMs: _, ...fewer } = { ...limiter.state.policy, maxRps: 3 }
  const sent: object = fewer
  limiter.send({ kind: 'policy', policy: { ...limiter.state.policy, ...sent } })
  expect(limiter.state.policy.retryAfterCapMs).toBe(shipped.retryAfterCapMs)
})
