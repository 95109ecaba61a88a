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

/** Present latency over the usual one; 1 while either is unknown. */
export function slowness({ latency }: LimiterState): number {
  const { shortMs, longMs } = latency
  return shortMs === null || longMs === null || longMs <= 0 ? 1 : shortMs / longMs
}
