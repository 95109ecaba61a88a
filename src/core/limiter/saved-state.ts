/** What a limiter leaves behind when it ends, and what is still usable of it later. */
import { STEP_VERSION, type LimiterState } from './limiter-state.ts'
import type { DomainPolicy } from './policy.ts'
import type { DomainSnapshot } from './protocol.ts'

export interface SavedLimiter {
  readonly domain: string
  readonly state: LimiterState
  readonly snapshot: DomainSnapshot
}

/**
 * The limiter's two activities (table `domain_limit`). Neither may throw for a domain it does not know.
 */
export interface LimiterStateActivities {
  /** Overwrites what was saved of the domain before. */
  saveLimiterState(saved: SavedLimiter): Promise<void>
  /** @param policy of the limiter's starter */
  loadLimiterState(domain: string, policy: DomainPolicy): Promise<LoadedLimiter>
}

/** What a starting limiter is given. */
export interface LoadedLimiter {
  /** The state last saved, with the pause of now; null when there is none. */
  readonly state: unknown
  /** The whole policy: what the starter knows (shipped, file) with what was set by command on top. */
  readonly policy: DomainPolicy
  /** Why an operator paused the domain, also when there is no state; null when it is not. */
  readonly pausedBecause: string | null
}

/** Null for anything this version cannot go on from: a limiter that starts afresh is safe, only slower. */
export function readSavedState(stored: unknown, domain: string): LimiterState | null {
  return isUsable(stored) && stored.domain === domain ? stored : null
}

function isUsable(stored: unknown): stored is LimiterState {
  if (typeof stored !== 'object' || stored === null) return false
  const state: Partial<LimiterState> = stored
  const numbers = [state.wallMs, state.clockMs, state.epoch, state.pauseUntilMs]
  return (
    state.stepVersion === STEP_VERSION &&
    numbers.every((number) => Number.isFinite(number)) &&
    typeof state.workers === 'object' &&
    Array.isArray(state.ended)
  )
}
