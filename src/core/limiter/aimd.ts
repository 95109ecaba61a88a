/**
 * Additive increase, multiplicative decrease (rate-limiting.md §7.1), with one change: the rate grows by
 * `aimdIncrease` per second without trouble, not per good answer. Per answer it would grow by its own
 * speed, which is exponential (research/limiter.md §0.1).
 */
import type { Results, Situation, Strategy } from './strategy.ts'

export interface Aimd {
  readonly rps: number
  /** Until when growth has been booked. */
  readonly grownMs: number
}

export const aimd: Strategy<Aimd> = {
  start: ({ policy, nowMs }) => ({ rps: policy.initialRps, grownMs: nowMs }),
  rate: (state) => state.rps,
  mode: () => 'aimd',
  isSoft: () => true,
  onResults,
  onRefusal: (state, { policy, nowMs }) => ({
    rps: Math.max(policy.minRps, state.rps * policy.aimdDecrease),
    grownMs: nowMs,
  }),
  slowDown: (state, factor, { minRps }) => ({
    ...state,
    rps: Math.max(minRps, state.rps * factor),
  }),
  onLate: (state) => state,
  onReopened: (state, { nowMs }) => ({ ...state, grownMs: nowMs }),
}

/** A pause in the demand brings no growth: only the time since the lease began counts. */
function onResults(state: Aimd, results: Results, { policy, nowMs, isSlow }: Situation): Aimd {
  if (isSlow || results.accepted === 0) return { ...state, grownMs: nowMs }
  const goodMs = nowMs - Math.max(state.grownMs, results.leaseStartMs)
  const rps = state.rps + (policy.aimdIncrease * Math.max(0, goodMs)) / 1000
  return { rps: Math.min(policy.maxRps, rps), grownMs: nowMs }
}
