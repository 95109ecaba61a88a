/** What a limiter leaves behind when it ends, and what is still usable of it later. */
import { initialState, STEP_VERSION, type LimiterState } from './limiter-state.ts'
import { defaultPolicy, type DomainPolicy } from './policy.ts'
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

/** Null for anything that has not the shape of this version's states; `carry-over.ts` says what then. */
export function readSavedState(stored: unknown, domain: string): LimiterState | null {
  return isUsable(stored) && stored.domain === domain ? stored : null
}

function isUsable(stored: unknown): stored is LimiterState {
  if (typeof stored !== 'object' || stored === null) return false
  const state: Readonly<Record<string, unknown>> = { ...stored }
  return state['stepVersion'] === STEP_VERSION && isShapedLike(state, initialState('', shipped, 0))
}

const shipped = defaultPolicy('')

/** Field by field, not deeper; what is nothing at first may be of any kind later. */
function isShapedLike(state: Readonly<Record<string, unknown>>, model: object): boolean {
  return Object.entries(model).every(
    ([field, value]) => field in state && areAlike(state[field], value),
  )
}

function areAlike(found: unknown, model: unknown): boolean {
  if (model === null) return true
  if (typeof model === 'number') return Number.isFinite(found)
  if (found === null) return false
  return typeof found === typeof model && Array.isArray(found) === Array.isArray(model)
}
