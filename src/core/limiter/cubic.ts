/**
 * CUBIC as the AWS SDKs use it for request rates (retry mode "adaptive"): after a refusal the rate falls to
 * β of what it was, returns quickly to just below that, stays there a while, and then rises ever faster.
 *
 *   rps ┤                                  ╱   rate(t) = C (t − K)³ + lastMax, t in s since the refusal
 *       ┤ ─ ─ ─ lastMax ─ ─ ─ ____--------'    K = ∛(lastMax (1 − β) / C), so that rate(0) = β lastMax
 *       ┤             ,-'
 *       ┤           /                          C = 0.4, β = 0.7
 *       └───────────┴────────────┴───────▶
 *                refused         K
 *
 * It never rises above twice what the server really took on (`rate-meter.ts`). AWS limits one client that
 * has asked freely until its first refusal, we limit a domain from the start; so here the rate begins at
 * `initialRps`, success never lowers it, and time in which the server was shut does not count.
 */
import type { DomainPolicy } from './policy.ts'
import { countSent, newMeter, type RateMeter } from './rate-meter.ts'
import type { Refused, Reopened, Results, Situation, Strategy } from './strategy.ts'

export interface CubicCurve {
  readonly lastMaxRps: number
  readonly lastThrottleS: number
  /** What was left of the rate then. */
  readonly beta: number
  readonly rps: number
}

/** C of the curve, requests per second per s³. */
const STEEPNESS = 0.4
const BETA = 0.7
/** Of what was measured. */
const LARGEST_GAIN = 2

/** As if refused at `nowS` when the rate was `lastMaxRps`. */
export function cubicStart(lastMaxRps: number, nowS: number, beta = BETA): CubicCurve {
  return { lastMaxRps, lastThrottleS: nowS, beta, rps: lastMaxRps * beta }
}

export function cubicOnSuccess(curve: CubicCurve, nowS: number): CubicCurve {
  const { lastMaxRps, lastThrottleS, beta } = curve
  const backS = Math.cbrt((lastMaxRps * (1 - beta)) / STEEPNESS)
  return { ...curve, rps: STEEPNESS * (nowS - lastThrottleS - backS) ** 3 + lastMaxRps }
}

export function cubicOnThrottle(curve: CubicCurve, nowS: number, beta = BETA): CubicCurve {
  return cubicStart(curve.rps, nowS, beta)
}

export interface Cubic extends CubicCurve {
  readonly meter: RateMeter
  /** The first refusal looks only at what was measured: the rate until then came from no limit of the server. */
  readonly wasRefused: boolean
}

export const cubic: Strategy<Cubic> = {
  start: ({ policy, nowMs, ceilingRps }) => ({
    ...cubicStart(0, nowMs / 1000),
    rps: ceilingRps === null ? policy.initialRps : 0.9 * ceilingRps,
    meter: newMeter(nowMs),
    wasRefused: false,
  }),
  rate: (state) => state.rps,
  mode: () => 'cubic',
  isSoft: () => true,
  onResults,
  onRefusal,
  onLate: (state) => state,
  onReopened,
  slowDown: (state, factor, policy) =>
    cut(state, state.rps, state.meter.bucketMs / 1000, policy, factor),
}

function onResults(state: Cubic, results: Results, { policy, nowMs, isSlow }: Situation): Cubic {
  if (results.accepted === 0) return state
  const meter = countSent(state.meter, results.accepted, nowMs)
  if (isSlow) return { ...state, meter }
  const most = Math.min(policy.maxRps, LARGEST_GAIN * meter.rps)
  const rps = Math.min(most, cubicOnSuccess(state, nowMs / 1000).rps)
  return { ...state, meter, rps: Math.max(state.rps, rps) }
}

/** Many refusals are one event here; the request that brought it was sent, so it is measured too. */
function onRefusal(state: Cubic, { policy, nowMs }: Refused): Cubic {
  const meter = countSent(state.meter, 1, nowMs)
  const measured = meter.rps > 0 ? meter.rps : state.rps
  const rps = state.wasRefused ? Math.min(measured, state.rps) : measured
  return cut({ ...state, meter, wasRefused: true }, rps, nowMs / 1000, policy)
}

/** A short wait is part of the curve; one longer than a slot was the server's, and nothing was tried in it. */
function onReopened(state: Cubic, { policy, nowMs, shutMs }: Reopened): Cubic {
  if (shutMs <= policy.slotMs) return state
  const meter = { ...newMeter(nowMs), rps: state.meter.rps, count: state.meter.count }
  return { ...state, meter, lastThrottleS: nowMs / 1000 }
}

function cut(state: Cubic, rps: number, nowS: number, policy: DomainPolicy, beta = BETA): Cubic {
  const curve = cubicOnThrottle({ ...state, rps }, nowS, beta)
  return { ...state, ...curve, rps: Math.max(policy.minRps, curve.rps) }
}
