import { describe, expect, it } from 'vitest'
import {
  cubic,
  cubicOnSuccess,
  cubicOnThrottle,
  cubicStart,
  type Cubic,
} from '../../../../src/core/limiter/cubic.ts'
import { defaultPolicy } from '../../../../src/core/limiter/policy.ts'
import { countSent, newMeter } from '../../../../src/core/limiter/rate-meter.ts'

/** AWS: never below half a request a second. */
const policy = { ...defaultPolicy('example.org'), minRps: 0.5, initialRps: 0.5, maxRps: 1000 }
const at = (nowMs: number) => ({ policy, nowMs, isSlow: false, ceilingRps: null })
const begin = () => cubic.start(at(0))

/** One request a time, as an AWS client sends them. */
function ok(state: Cubic, nowMs: number, shutMs = 0): Cubic {
  const open = shutMs > 0 ? cubic.onReopened(state, { ...at(nowMs), streak: 1, shutMs }) : state
  return cubic.onResults(open, { accepted: 1, leaseRps: 1, leaseStartMs: nowMs }, at(nowMs))
}
function refused(state: Cubic, nowMs: number, streak = 1): Cubic {
  return cubic.onRefusal(state, { ...at(nowMs), streak, askedMs: 0 })
}

describe('the curve gives the numbers published for the AWS SDKs', () => {
  it.each([
    [5, 7],
    [6, 9.64893601],
    [7, 10.00003085],
    [8, 10.45328452],
    [9, 13.40869702],
    [10, 21.26626835],
    [11, 36.42599852],
  ])('V1 success at %i s after a refusal at 5 s and 10 rps: %f', (nowS, rps) => {
    expect(cubicOnSuccess(cubicStart(10, 5), nowS).rps).toBeCloseTo(rps, 6)
  })

  it('V2 success and refusal mixed; the maximum is the rate before it was cut, not after', () => {
    const events = [
      [5, 'ok', 7],
      [6, 'ok', 9.64893601],
      [7, 'throttle', 6.754255207],
      [8, 'throttle', 4.727978645],
      [9, 'ok', 6.606547754],
      [10, 'ok', 6.763279817],
      [11, 'ok', 7.598174834],
      [12, 'ok', 11.511232805],
    ] as const
    let curve = cubicStart(10, 5)
    for (const [nowS, kind, rps] of events) {
      curve = kind === 'ok' ? cubicOnSuccess(curve, nowS) : cubicOnThrottle(curve, nowS)
      expect(curve.rps, `${kind} at ${nowS} s`).toBeCloseTo(rps, 6)
    }
  })

  it.each([
    [10, 1.9574338205844317],
    [8, 1.8171205928321397],
  ])('V4 the old maximum of %i rps is reached again after %f s', (lastMaxRps, backS) => {
    const curve = cubicStart(lastMaxRps, 0)
    expect(cubicOnSuccess(curve, backS).rps).toBeCloseTo(lastMaxRps, 9)
    const around = [-0.01, 0.01].map((offS) => cubicOnSuccess(curve, backS + offS).rps - lastMaxRps)
    expect(around[0]).toBeCloseTo(-0.4e-6, 9)
    expect(around[1]).toBeCloseTo(0.4e-6, 9)
  })

  it('V4 a refusal at 10 rps that leaves 0.6 gives 6 rps, and the curve begins there', () => {
    const cut = cubicOnThrottle({ ...cubicStart(1, 0), rps: 10 }, 3, 0.6)
    expect(cut.rps).toBeCloseTo(6, 9)
    expect(cubicOnSuccess(cut, 3).rps).toBeCloseTo(6, 9)
  })
})

describe('the strategy measures what was sent', () => {
  it('V3 call by call: measured rate and fill rate, refused at 2.0 and 3.2 s', () => {
    const expected = [
      [0.2, 0, 0.5],
      [0.4, 0, 0.5],
      [0.6, 4.8, 0.5],
      [0.8, 4.8, 0.5],
      [1.0, 4.16, 0.5],
      [1.2, 4.16, 0.6912],
      [1.4, 4.16, 1.0976],
      [1.6, 5.632, 1.6384],
      [1.8, 5.632, 2.3328],
      [2.0, 4.3264, 3.02848],
      [2.2, 4.3264, 3.486639],
      [2.4, 4.3264, 3.821874],
      [2.6, 5.66528, 4.053386],
      [2.8, 5.66528, 4.200373],
      [3.0, 4.333056, 4.282037],
      [3.2, 4.333056, 2.997426],
      [3.4, 4.333056, 3.452226],
    ] as const
    let state = begin()
    let shutMs = 0
    for (const [nowS, measured, fillRps] of expected) {
      const nowMs = Math.round(nowS * 1000)
      const isRefused = nowS === 2 || nowS === 3.2
      state = isRefused ? refused(state, nowMs) : ok(state, nowMs, shutMs)
      shutMs = isRefused ? 200 : 0
      expect(state.meter.rps, `measured at ${nowS} s`).toBeCloseTo(measured, 6)
      expect(cubic.rate(state, policy), `rate at ${nowS} s`).toBeCloseTo(fillRps, 6)
    }
  })

  it('V5 the meter: a bucket counts when it is over, and one call a second is one a second', () => {
    let meter = newMeter(0)
    for (const nowMs of [100, 200, 300, 400, 490]) {
      meter = countSent(meter, 1, nowMs)
      expect(meter.rps).toBe(0)
    }
    expect(countSent(meter, 1, 500).rps).toBeCloseTo(9.6, 9)
    let steady = newMeter(0)
    for (let second = 1; second <= 20; second++) steady = countSent(steady, 1, second * 1000)
    expect(steady.rps).toBeCloseTo(1, 6)
  })

  it.each([
    [500, 892.857143],
    [1000, 1785.714286],
    [2000, 2000],
  ])('V7 the only call is refused at %i ms: the next is due after %f ms', (nowMs, waitMs) => {
    expect(1000 / cubic.rate(refused(begin(), nowMs), policy)).toBeCloseTo(waitMs, 5)
  })
})

describe('as the limiter of a domain', () => {
  const settled = (): Cubic => {
    let state = cubic.start({ ...at(0), policy: { ...policy, initialRps: 4 } })
    for (let nowMs = 250; nowMs <= 10_000; nowMs += 250) state = ok(state, nowMs)
    return state
  }

  it('begins at the initial rate, or just below what the server publishes', () => {
    const initial = { ...policy, initialRps: 3 }
    expect(cubic.rate(cubic.start({ ...at(0), policy: initial }), policy)).toBe(3)
    expect(cubic.rate(cubic.start({ ...at(0), ceilingRps: 10 }), policy)).toBe(9)
  })

  it('does not rise above twice what was really asked for, nor above the maximum', () => {
    expect(cubic.rate(settled(), policy)).toBeCloseTo(8, 3)
    const low = { ...policy, maxRps: 5 }
    const more = { accepted: 1, leaseRps: 1, leaseStartMs: 0 }
    const bounded = cubic.onResults(
      begin(),
      { ...more, accepted: 100 },
      { ...at(9000), policy: low },
    )
    expect(cubic.rate(bounded, low)).toBe(5)
  })

  it('is not made slower by answers, however few are asked for', () => {
    const before = settled()
    expect(cubic.rate(ok(before, 600_000), policy)).toBe(cubic.rate(before, policy))
  })

  it('does not rise while answers are slow or nothing was accepted', () => {
    const before = begin()
    const many = { accepted: 50, leaseRps: 5, leaseStartMs: 0 }
    const slow = cubic.onResults(before, many, { ...at(9000), isSlow: true })
    expect(cubic.rate(slow, policy)).toBe(0.5)
    expect(cubic.onResults(before, { ...many, accepted: 0 }, at(9000))).toBe(before)
  })

  it('comes back from an hour shut where it left off, not with a leap', () => {
    const cut = refused(settled(), 10_250)
    const back = ok(cut, 3_610_250, 3_600_000)
    expect(cubic.rate(back, policy)).toBeCloseTo(cubic.rate(cut, policy), 6)
    expect(back.meter.rps).toBeCloseTo(cut.meter.rps, 6)
  })

  it('that is refused before anything was measured cuts the rate it had', () => {
    const soon = refused(cubic.start({ ...at(0), policy: { ...policy, initialRps: 10 } }), 300)
    expect(cubic.rate(soon, policy)).toBe(7)
  })

  it('slowed down for its latency rises from there again', () => {
    const before = settled()
    const slowed = cubic.slowDown(before, 0.5, policy)
    expect(cubic.rate(slowed, policy)).toBeCloseTo(cubic.rate(before, policy) / 2, 9)
    const next = ok(slowed, 10_250)
    expect(cubic.rate(next, policy)).toBeLessThan(cubic.rate(before, policy))
    expect(cubic.rate(next, policy)).toBeGreaterThan(cubic.rate(slowed, policy))
    expect(cubic.rate(cubic.slowDown(begin(), 0.5, policy), policy)).toBe(policy.minRps)
  })

  it('is plain JSON', () => {
    const state = refused(settled(), 10_250)
    expect(JSON.parse(JSON.stringify(state))).toEqual(state)
    expect(cubic.mode(state)).toBe('cubic')
    expect(cubic.isSoft(state)).toBe(true)
  })
})
