/** Why nobody may send at present; the first reason wins. */
import { breakerHold } from './circuit-breaker.ts'
import type { LimiterState } from './limiter-state.ts'
import type { RefusalReason } from './protocol.ts'

export interface Hold {
  readonly reason: RefusalReason
  readonly forMs: number
}

/** While the saved state is loading, which takes one database read. */
const STARTING_POLL_MS = 250
/** So a domain resumed by hand is sending again within this time. */
const PAUSED_POLL_MS = 10_000

export function holdOf(state: LimiterState): Hold | null {
  if (!state.restored) return { reason: 'starting', forMs: STARTING_POLL_MS }
  if (state.pausedBecause !== null) return { reason: 'paused', forMs: PAUSED_POLL_MS }
  const openMs = Math.ceil(breakerHold(state.breaker, state.clockMs))
  if (openMs > 0) return { reason: 'breaker_open', forMs: openMs }
  const forMs = Math.ceil(state.pauseUntilMs - state.clockMs)
  return forMs > 0 ? { reason: 'retry_after', forMs } : null
}
