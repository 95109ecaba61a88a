import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  breakerHold,
  closedBreaker,
  grantProbes,
  observe,
  probeResults,
  toHalfOpen,
  type Breaker,
  type ProbeResults,
} from '../../../../src/core/limiter/circuit-breaker.ts'
import {
  countResults,
  emptyWindow,
  windowTotals,
} from '../../../../src/core/limiter/error-window.ts'
import { defaultPolicy } from '../../../../src/core/limiter/policy.ts'

const policy = defaultPolicy('example.org')
const TTL_MS = 10_000
/** Jitter laid around the step: 0.5 gives the step itself. */
const EXACT = 0.5

const ended = (results: Partial<ProbeResults>): ProbeResults => ({
  ok: 0,
  failed: 0,
  neutral: 0,
  cancelled: 0,
  unused: 0,
  ...results,
})
const trip = (breaker: Breaker, nowMs: number, random = EXACT) =>
  observe(breaker, { ok: 0, failed: 20 }, 0, nowMs, policy, random)
const grant = (breaker: Breaker, wanted: number, nowMs: number) =>
  grantProbes(breaker, wanted, nowMs, TTL_MS, policy)
const read = (breaker: Breaker, results: Partial<ProbeResults>, nowMs: number) =>
  probeResults(breaker, breaker.generation, ended(results), nowMs, policy, EXACT)

/** Open from 0 to 5,000 ms, half open since. */
const halfOpen = () => toHalfOpen(trip(closedBreaker(), 0), 5_000)

describe('step 5: a closed breaker', () => {
  it.each([
    ['half of twenty results failed', 10, 10, 0, 'open'],
    ['less than half of them failed', 11, 9, 0, 'closed'],
    ['all failed, but of too few results', 0, 9, 9, 'closed'],
    ['ten failed in a row, whatever the rate', 1_000, 10, 10, 'open'],
    ['nothing happened', 0, 0, 0, 'closed'],
  ])('%s', (_, ok, failed, inARow, state) => {
    const next = observe(closedBreaker(), { ok, failed }, inARow, 0, policy, EXACT)
    expect(next.state).toBe(state)
    expect(breakerHold(next, 0)).toBe(state === 'open' ? 5_000 : 0)
  })

  it('V16 opens on the sixth call of S S S E E E, not before (50 % of at least 5, in 20 s)', () => {
    const rule = {
      ...policy,
      statsWindowMs: 20_000,
      statsBucketMs: 1_000,
      minSamplesToTrip: 5,
      errorRateThreshold: 0.5,
    }
    let window = emptyWindow()
    let breaker = closedBreaker()
    const states = [0, 0, 0, 1, 1, 1].map((failed, second) => {
      const nowMs = second * 1_000
      window = countResults(window, { ok: 1 - failed, failed, refused: 0 }, nowMs, rule)
      breaker = observe(breaker, windowTotals(window, nowMs, rule), 0, nowMs, rule, EXACT)
      return breaker.state
    })
    expect(states).toEqual(['closed', 'closed', 'closed', 'closed', 'closed', 'open'])
  })

  it('B3 is not opened by four failures, five minutes of silence and a fifth', () => {
    const rule = { ...policy, statsWindowMs: 5_000, statsBucketMs: 1_000, minSamplesToTrip: 5 }
    const before = countResults(emptyWindow(), { ok: 0, failed: 4, refused: 0 }, 0, rule)
    const window = countResults(before, { ok: 0, failed: 1, refused: 0 }, 300_000, rule)
    const totals = windowTotals(window, 300_000, rule)
    expect(observe(closedBreaker(), totals, 5, 300_000, rule, EXACT).state).toBe('closed')
  })

  it('grants no probes: it needs none', () => {
    expect(grant(closedBreaker(), 3, 0)).toEqual({ breaker: closedBreaker(), permits: 0 })
  })
})

describe('an open breaker', () => {
  it('V16 stays shut longer the second time (published: still shut at +6 s)', () => {
    const again = read(halfOpen(), { failed: 1 }, 5_100)
    expect(again.state).toBe('open')
    expect(breakerHold(again, 5_100 + 6_000)).toBe(4_000)
  })

  it('doubles up to twenty seconds, starts over once closed, and jitters around each step', () => {
    const steps: number[] = []
    let breaker = trip(closedBreaker(), 0)
    for (let opens = 1; opens <= 8; opens++) {
      steps.push(breakerHold(breaker, 0))
      breaker = read(toHalfOpen(breaker, breaker.openUntilMs), { failed: 1 }, 0)
    }
    expect(steps).toEqual([5, 10, 20, 20, 20, 20, 20, 20].map((seconds) => seconds * 1_000))
    const closed = read(toHalfOpen(breaker, breaker.openUntilMs), { ok: 3 }, 0)
    expect(breakerHold(trip(closed, 0), 0)).toBe(5_000)
    expect(breakerHold(trip(closedBreaker(), 0, 0), 0)).toBe(2_500)
    expect(breakerHold(trip(closedBreaker(), 0, 0.999), 0)).toBeCloseTo(7_495, 6)
  })

  it('obeys a policy that asks for more than that', () => {
    const rule = { ...policy, openStateDurationMs: 900_000 }
    const breaker = observe(closedBreaker(), { ok: 0, failed: 20 }, 0, 0, rule, EXACT)
    expect(breakerHold(breaker, 0)).toBe(900_000)
  })

  it('B8 is neither lengthened nor restarted by failures', () => {
    const breaker = trip(closedBreaker(), 0)
    const later = trip(observe(breaker, { ok: 0, failed: 99 }, 99, 2_000, policy, 0.9), 4_000)
    expect(read(later, { failed: 5 }, 4_500)).toEqual(breaker)
    expect(breakerHold(later, 4_500)).toBe(500)
  })

  it('B9 saved and restored after 60 % of its time has 40 % left', () => {
    const restored = JSON.parse(JSON.stringify(trip(closedBreaker(), 1_000))) as Breaker
    expect(breakerHold(restored, 4_000)).toBe(2_000)
    expect(toHalfOpen(restored, 5_999).state).toBe('open')
    expect(toHalfOpen(restored, 6_000).state).toBe('half_open')
  })

  it('lets nothing through until it is turned half open', () => {
    const breaker = trip(closedBreaker(), 0)
    expect(grant(breaker, 3, 5_000).permits).toBe(0)
    expect(toHalfOpen(closedBreaker(), 5_000).state).toBe('closed')
  })
})

describe('a half-open breaker', () => {
  it('B7 a hundred callers at its first instant get three permits together', () => {
    let breaker = halfOpen()
    let permits = 0
    for (let caller = 0; caller < 100; caller++) {
      const given = grant(breaker, 1, 5_000)
      breaker = given.breaker
      permits += given.permits
    }
    expect(permits).toBe(3)
    expect(grant(halfOpen(), 100, 5_000).permits).toBe(3)
  })

  it('V16 of four permits refuses the fifth, and has one again when one is given back', () => {
    const rule = { ...policy, halfOpenProbes: 4 }
    const full = grantProbes(halfOpen(), 4, 5_000, TTL_MS, rule)
    expect(full.permits).toBe(4)
    expect(grantProbes(full.breaker, 1, 5_000, TTL_MS, rule).permits).toBe(0)
    const { generation } = full.breaker
    const back = probeResults(full.breaker, generation, ended({ unused: 1 }), 5_100, rule, EXACT)
    expect(grantProbes(back, 4, 5_100, TTL_MS, rule).permits).toBe(1)
  })

  it('closes when all its probes succeeded, over several reports too', () => {
    const { breaker } = grant(halfOpen(), 3, 5_000)
    const two = read(read(breaker, { ok: 1 }, 5_100), { ok: 1 }, 5_200)
    expect(two.state).toBe('half_open')
    expect(grant(two, 3, 5_200).permits).toBe(0)
    expect(read(two, { ok: 1 }, 5_300)).toEqual({ ...closedBreaker(), generation: 1 })
  })

  it('opens at the first failure, though others of the report succeeded', () => {
    const { breaker } = grant(halfOpen(), 3, 5_000)
    expect(read(breaker, { ok: 2, failed: 1 }, 5_100)).toMatchObject({ state: 'open', probes: [] })
  })

  it('B4 grants a probe anew that nobody heard of again: no answer, or its worker died', () => {
    const silent = grant(halfOpen(), 3, 5_000).breaker
    expect(grant(silent, 3, 5_000 + TTL_MS - 1).permits).toBe(0)
    const anew = grant(silent, 3, 5_000 + TTL_MS)
    expect(anew.permits).toBe(3)
    expect(read(anew.breaker, { ok: 3 }, 16_000).state).toBe('closed')
  })

  it.each([['cancelled'], ['unused']] as const)('B4 grants a probe anew that was %s', (kind) => {
    const back = read(grant(halfOpen(), 3, 5_000).breaker, { [kind]: 3 }, 5_100)
    expect(back.state).toBe('half_open')
    expect(grant(back, 3, 5_100).permits).toBe(3)
  })

  it('B4 an answer after its probe was written off counts, but frees no permit that is still out', () => {
    const anew = grant(grant(halfOpen(), 3, 5_000).breaker, 3, 15_000).breaker
    const late = read(anew, { cancelled: 3 }, 15_100)
    expect(grant(late, 3, 15_100).permits).toBe(0)
    expect(grant(late, 3, 25_000).permits).toBe(3)
    expect(read(anew, { ok: 3 }, 15_100).state).toBe('closed')
  })

  it('B5 ignores what was sent before the trip, or in an earlier half-open time', () => {
    const first = grant(halfOpen(), 3, 5_000).breaker
    expect(probeResults(first, 0, ended({ ok: 3 }), 5_100, policy, EXACT)).toEqual(first)
    expect(probeResults(first, 0, ended({ failed: 3 }), 5_100, policy, EXACT)).toEqual(first)
    const second = toHalfOpen(read(first, { failed: 1 }, 5_100), 15_100)
    expect(second.generation).toBe(2)
    expect(probeResults(second, 1, ended({ ok: 3 }), 15_200, policy, EXACT)).toEqual(second)
  })

  it('B6 a probe answered 404 gives its permit back: neither closed, nor open, nor stuck', () => {
    let breaker = halfOpen()
    for (let round = 0; round < 50; round++) {
      const given = grant(breaker, 3, 5_000 + round)
      expect(given.permits).toBe(3)
      breaker = read(given.breaker, { neutral: 3 }, 5_000 + round)
      expect(breaker.state).toBe('half_open')
    }
  })

  it('goes on when a new policy asks for fewer probes than have succeeded', () => {
    const one = read(grant(halfOpen(), 2, 5_000).breaker, { ok: 2 }, 5_100)
    const rule = { ...policy, halfOpenProbes: 1 }
    const given = grantProbes(one, 3, 5_200, TTL_MS, rule)
    expect(given.permits).toBe(1)
    const { generation } = given.breaker
    const next = probeResults(given.breaker, generation, ended({ ok: 1 }), 5_300, rule, EXACT)
    expect(next.state).toBe('closed')
  })
})

describe('whatever happens to its probes', () => {
  const action = fc.oneof(
    fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(15_000) }),
    fc.record({ kind: fc.constant('ask' as const), wanted: fc.nat(5) }),
    fc.record({
      kind: fc.constant('end' as const),
      /** Which of the granted permits, in time or late. */
      which: fc.nat(30),
      how: fc.constantFrom('ok', 'failed', 'neutral', 'cancelled', 'unused'),
    }),
    fc.record({ kind: fc.constant('trip' as const) }),
  )
  const run = (actions: readonly (typeof action extends fc.Arbitrary<infer T> ? T : never)[]) => {
    let breaker = trip(closedBreaker(), 0)
    let nowMs = 0
    let out: { generation: number; expiresMs: number }[] = []
    let mostOut = 0
    for (const one of actions) {
      if (one.kind === 'wait') nowMs += one.ms
      breaker = toHalfOpen(breaker, nowMs)
      if (one.kind === 'trip') breaker = trip(breaker, nowMs)
      if (one.kind === 'ask') {
        const given = grant(breaker, one.wanted, nowMs)
        breaker = given.breaker
        const { generation } = breaker
        const expiresMs = nowMs + TTL_MS
        out.push(...Array.from({ length: given.permits }, () => ({ generation, expiresMs })))
      }
      if (one.kind === 'end' && out.length > 0) {
        const probe = out[one.which % out.length]
        out = out.filter((other) => other !== probe)
        const results = ended({ [one.how]: 1 })
        breaker = probeResults(breaker, probe?.generation ?? 0, results, nowMs, policy, EXACT)
      }
      const live = out.filter(
        ({ generation, expiresMs }) => generation === breaker.generation && nowMs < expiresMs,
      )
      if (breaker.state === 'half_open') mostOut = Math.max(mostOut, live.length)
    }
    return { breaker, nowMs, mostOut }
  }
  const actions = fc.array(action, { maxLength: 80 })

  it('never more of them are out than the policy allows', () => {
    fc.assert(
      fc.property(actions, (all) => {
        expect(run(all).mostOut).toBeLessThanOrEqual(policy.halfOpenProbes)
      }),
      { numRuns: 300 },
    )
  })

  it('the breaker never refuses for ever: five minutes and one lease later it closes if the server is well', () => {
    fc.assert(
      fc.property(actions, (all) => {
        const { breaker, nowMs } = run(all)
        const readyMs = nowMs + 300_000 + TTL_MS
        const ready = toHalfOpen(breaker, readyMs)
        const given = grant(ready, 9, readyMs)
        const next = read(given.breaker, { ok: given.permits }, readyMs)
        expect(breakerHold(ready, readyMs)).toBe(0)
        expect(given.permits > 0).toBe(ready.state === 'half_open')
        expect(next.state).toBe('closed')
      }),
      { numRuns: 300 },
    )
  })

  it('the breaker is plain JSON', () => {
    fc.assert(
      fc.property(actions, (all) => {
        const { breaker } = run(all)
        expect(JSON.parse(JSON.stringify(breaker))).toEqual(breaker)
      }),
    )
  })
})
