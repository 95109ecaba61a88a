/**
 * The server said no (429 and its like).
 *
 *   SENDING ── refused ──▶ named a wait? ── yes ─▶ PAUSED until it is over ─▶ long: half rate for a slot ─▶ SENDING
 *      ▲                        │ no
 *      │                        ├─ expected by the strategy ─▶ SENDING, at its new rate
 *      └──── one accepted ── TRICKLE: one permit, then 1, 2, 4 … s apart (with jitter) while refused
 *
 * Requests that were on their way together are refused together: that is one event, not many. Leases
 * carry the epoch they were granted in; the first refusal of the current epoch is the event and opens
 * the next epoch, refusals of older ones only lengthen the wait if their server asked for a longer one.
 */
import { endLeases } from './advance.ts'
import { isSoftRefusal, onRefusal } from './control.ts'
import { leaseNumber } from './lease-id.ts'
import { fullRate } from './current-rate.ts'
import type { LimiterState } from './limiter-state.ts'
import { situationOf } from './situation.ts'

export interface Refusal {
  readonly leaseId: string
  readonly epoch: number
  readonly agoMs: number
  /** Null when the server named no wait. */
  readonly retryAfterMs: number | null
}

const WIDEST_JITTER_MS = 1_000
const JITTER_PART = 0.1
const QUIET_REQUESTS = 4
const LONGEST_QUIET_MS = 500

/** @param random Uniform in [0, 1): no two domains come back in step with others that were told the same. */
export function refuse(before: LimiterState, refusal: Refusal, random: number): LimiterState {
  const state = dropLeases(before, refusal.leaseId)
  const { policy, clockMs } = state
  const askedMs = Math.min(refusal.retryAfterMs ?? 0, policy.retryAfterCapMs)
  const refusedMs = clockMs - refusal.agoMs
  if (refusal.epoch < state.epoch) {
    return askedMs === 0 ? state : pause(state, refusedMs + askedMs)
  }
  const streak = state.streak + 1
  const control = onRefusal(state.control, { ...situationOf(state), streak, askedMs })
  const next: LimiterState = {
    ...state,
    control,
    streak,
    shutSinceMs: streak === 1 ? refusedMs : state.shutSinceMs,
    epoch: refusal.epoch + 1,
  }
  if (askedMs > 0) {
    const wished = Math.max(askedMs, Math.min(policy.retryMaxDelayMs, askedMs * 2 ** (streak - 1)))
    const jitterMs = random * Math.min(WIDEST_JITTER_MS, JITTER_PART * wished)
    const paused = pause(next, refusedMs + wished + jitterMs)
    // A wait that was cut short is not over for the server: one request finds out.
    const isCut = (refusal.retryAfterMs ?? 0) > policy.retryAfterCapMs
    return { ...paused, trickleMs: isCut ? paused.pauseUntilMs : null }
  }
  if (streak === 1 && isSoftRefusal(control)) return quiet({ ...next, trickleMs: null })
  return { ...next, trickleMs: Math.max(clockMs, refusedMs + backoffMs(streak, policy, random)) }
}

/** The process that was refused has dropped what it held: its place in the schedule is free. */
function dropLeases(state: LimiterState, id: string): LimiterState {
  const number = leaseNumber(state.idPrefix, id)
  for (const [name, { leases }] of Object.entries(state.workers)) {
    const refused = leases.find((lease) => lease.number === number)
    if (refused !== undefined) {
      return endLeases(state, name, ({ epoch }) => epoch <= refused.epoch)
    }
  }
  return state
}

/** Some requests' worth of silence, so that a strict server can take the next ones. */
export function quiet(state: LimiterState): LimiterState {
  const quietMs = Math.min(LONGEST_QUIET_MS, (QUIET_REQUESTS * 1000) / fullRate(state))
  return { ...state, quietUntilMs: state.clockMs + quietMs }
}

/** After a wait no longer than a slot the server is as it was: half of the rate would only add to the loss. */
function pause(state: LimiterState, untilMs: number): LimiterState {
  const pauseUntilMs = Math.max(state.pauseUntilMs, untilMs)
  const isLong = pauseUntilMs - state.clockMs > state.policy.slotMs
  return { ...state, pauseUntilMs, resumedMs: isLong ? pauseUntilMs : state.resumedMs }
}

/** Nothing for the first, then doubling within the policy's bounds; the second half is left to chance. */
function backoffMs(streak: number, policy: LimiterState['policy'], random: number): number {
  if (streak === 1) return 0
  const stepMs = Math.min(policy.retryMaxDelayMs, policy.retryBaseDelayMs * 2 ** (streak - 2))
  return stepMs * (0.5 + random / 2)
}
