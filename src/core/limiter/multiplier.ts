/**
 * The rule of parallel-extraction.md (RateLimiterState): the waits between requests of a configured rate
 * are multiplied by 1.5 with each refusal and by 0.9 after ten successes, never below 1.0.
 *
 *   normal (1.0) ── refusal ──▶ backed off (1.5) ── refusal ──▶ deep backoff (2.25) …
 *        ▲                            │ ten successes
 *        └──────── recovering ◀───────┘
 */
import type { DomainPolicy } from './policy.ts'
import type { Results, Strategy } from './strategy.ts'

export interface Multiplier {
  /** At least 1; how much slower than `maxRps`. */
  readonly backoffMultiplier: number
  /** Of the limiter's own clock; null before the first refusal. */
  readonly last429Ms: number | null
  readonly consecutiveSuccesses: number
  readonly total429Count: number
}

const BACK_OFF = 1.5
const RECOVER = 0.9
const SUCCESSES = 10

export const multiplier: Strategy<Multiplier> = {
  start: () => ({
    backoffMultiplier: 1,
    last429Ms: null,
    consecutiveSuccesses: 0,
    total429Count: 0,
  }),
  rate: (state, policy) => policy.maxRps / state.backoffMultiplier,
  mode: ({ backoffMultiplier: by, consecutiveSuccesses }) => {
    if (by === 1) return 'normal'
    if (consecutiveSuccesses > 0) return 'recovering'
    return by > BACK_OFF ? 'deep_backoff' : 'backed_off'
  },
  isSoft: () => true,
  onResults,
  onRefusal: (state, { policy, nowMs }) => ({
    backoffMultiplier: Math.min(most(policy), state.backoffMultiplier * BACK_OFF),
    last429Ms: nowMs,
    consecutiveSuccesses: 0,
    total429Count: state.total429Count + 1,
  }),
  slowDown: (state, factor, policy) => ({
    ...state,
    backoffMultiplier: Math.min(most(policy), state.backoffMultiplier / factor),
    consecutiveSuccesses: 0,
  }),
  onLate: (state) => state,
  onReopened: (state) => state,
}

/** The ceiling the source leaves out: without one, an hour of refusals would take days to recover. */
function most(policy: DomainPolicy): number {
  return Math.max(1, policy.maxRps / policy.minRps)
}

function onResults(state: Multiplier, { accepted }: Results): Multiplier {
  const successes = state.consecutiveSuccesses + accepted
  const times = Math.floor(successes / SUCCESSES)
  return {
    ...state,
    backoffMultiplier: Math.max(1, state.backoffMultiplier * RECOVER ** times),
    consecutiveSuccesses: successes - times * SUCCESSES,
  }
}
