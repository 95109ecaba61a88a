/** What a limiter leaves behind when it ends, and what is still usable of it later. */
import { STEP_VERSION, type LimiterState } from './limiter-state.ts'
import type { LimiterSnapshot } from './protocol.ts'

export interface SavedLimiter {
  readonly domain: string
  readonly state: LimiterState
  readonly snapshot: LimiterSnapshot
}

/**
 * The limiter's two activities (table `domain_limit`). Neither may throw for a domain it does not know.
 */
export interface LimiterStateActivities {
  /** Overwrites what was saved of the domain before. */
  saveLimiterState(saved: SavedLimiter): Promise<void>
  /** The `state` last saved, as stored; null when there is none. */
  loadLimiterState(domain: string): Promise<unknown>
}

/** Null for anything this version cannot go on from: a limiter that starts afresh is safe, only slower. */
export function readSavedState(stored: unknown, domain: string): LimiterState | null {
  return isUsable(stored) && stored.domain === domain ? stored : null
}

function isUsable(stored: unknown): stored is LimiterState {
  if (typeof stored !== 'object' || stored === null) return false
  const state: Partial<LimiterState> = stored
  const numbers = [state.wallMs, state.clockMs, state.tokens, state.epoch, state.pauseUntilMs]
  return (
    state.stepVersion === STEP_VERSION &&
    numbers.every((number) => Number.isFinite(number)) &&
    typeof state.workers === 'object' &&
    Array.isArray(state.ended)
  )
}
