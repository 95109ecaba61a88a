/** What a strategy has to know of the rest of the state. */
import { ceilingRps } from './current-rate.ts'
import type { LimiterState } from './limiter-state.ts'
import type { Situation } from './strategy.ts'

/** Answers this much slower than usual: no time to go faster (research/limiter.md §3.5). */
const SLOW = 1.5

export function situationOf(state: LimiterState): Situation {
  return {
    policy: state.policy,
    nowMs: state.clockMs,
    isSlow: slowness(state) > SLOW,
    ceilingRps: ceilingRps(state),
  }
}

/**
 * Present latency of quick answers over the usual one; 1 while either is unknown. Quick ones, since a server
 * in trouble has none any more, while one with a cache has, however many of its answers are not in it.
 */
export function slowness({ latency }: LimiterState): number {
  const { shortMs, quickMs, longMs } = latency
  if (shortMs === null || quickMs === null || longMs === null || longMs <= 0) return 1
  return Math.min(shortMs, quickMs) / longMs
}
