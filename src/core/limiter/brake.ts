/**
 * Slowing down before the server has to say so: when answers have taken twice as long as usual for three
 * slots while all that may be on its way is on its way. Latency alone never slows anything down
 * (research/limiter.md §3.4 E9, §3.5): some questions simply take longer.
 */
import { slowDown } from './control.ts'
import { currentInFlight } from './current-rate.ts'
import type { LimiterState } from './limiter-state.ts'
import { slowness } from './situation.ts'

const SLOTS = 3
const AGAIN_MS = 10_000
const MOST_AT_ONCE = 0.5
/** Aimed at: this much slower than usual is no trouble yet. */
const GOOD = 1.5

export function brake(state: LimiterState): LimiterState {
  const { clockMs, policy, slowSinceMs } = state
  const slow = slowness(state)
  if (slow <= policy.latencyDegradeFactor || !isFull(state)) {
    return slowSinceMs === null ? state : { ...state, slowSinceMs: null }
  }
  if (slowSinceMs === null) return { ...state, slowSinceMs: clockMs }
  const isDue =
    clockMs - slowSinceMs >= SLOTS * policy.slotMs && clockMs - state.brakedMs >= AGAIN_MS
  if (!isDue) return state
  const factor = Math.max(MOST_AT_ONCE, GOOD / slow)
  return { ...state, brakedMs: clockMs, control: slowDown(state.control, factor, policy) }
}

function isFull(state: LimiterState): boolean {
  const inFlight = Object.values(state.workers).reduce((sum, worker) => sum + worker.inFlight, 0)
  return inFlight >= currentInFlight(state)
}
