/**
 * The server said no (429 and its like).
 *
 * Requests that were on their way together are refused together: that is one event, not many. Leases
 * carry the epoch they were granted in; the first refusal of the current epoch is the event and opens
 * the next epoch, refusals of older ones only lengthen the wait if their server asked for a longer one.
 */
import type { LimiterState } from './limiter-state.ts'

export interface Refusal {
  readonly epoch: number
  readonly agoMs: number
  /** Null when the server named no wait. */
  readonly retryAfterMs: number | null
}

const FIRST_BACKOFF_MS = 1_000
const LONGEST_BACKOFF_MS = 60_000
const WIDEST_JITTER_MS = 1_000

/** @param random Uniform in [0, 1): no two domains come back in step with others that were told the same. */
export function refuse(state: LimiterState, refusal: Refusal, random: number): LimiterState {
  const asked = refusal.retryAfterMs ?? 0
  const { retryAfterCapMs } = state.policy
  const askedMs = Math.min(asked, retryAfterCapMs)
  const isEvent = refusal.epoch >= state.epoch
  if (!isEvent && askedMs === 0) return state
  const streak = isEvent ? state.streak + 1 : state.streak
  const waitMs =
    askedMs > 0
      ? askedMs + (isEvent ? random * Math.min(WIDEST_JITTER_MS, askedMs / 10) : 0)
      : backoffMs(streak, random)
  return {
    ...state,
    streak,
    parkedMs: asked > retryAfterCapMs ? asked : isEvent ? 0 : state.parkedMs,
    epoch: isEvent ? refusal.epoch + 1 : state.epoch,
    pauseUntilMs: Math.max(state.pauseUntilMs, state.clockMs - refusal.agoMs + waitMs),
  }
}

/** 1, 2, 4 … 60 s, of which the second half is left to chance. */
function backoffMs(streak: number, random: number): number {
  const stepMs = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (streak - 1))
  return stepMs * (0.5 + random / 2)
}
