/** A rate on trial: whether enough was really sent at it, for long enough, without a refusal. */
import type { Results } from './strategy.ts'

export interface Trial {
  /** When the first lease at this rate began; null before. */
  readonly sinceMs: number | null
  readonly accepted: number
}

export const newTrial: Trial = { sinceMs: null, accepted: 0 }

/** Leases granted before the rate went up are slower and prove nothing. */
const SAME_RATE = 0.95
/** Less was not wanted or not possible: then the server's limit was not tried. */
const USED_PART = 0.8
/** A trial in which too little was wanted starts again after this many times its length. */
const GIVEN_UP_AFTER = 3

export function addToTrial(trial: Trial, rps: number, results: Results): Trial {
  if (results.leaseRps < rps * SAME_RATE) return trial
  return {
    sinceMs: Math.min(trial.sinceMs ?? Infinity, results.leaseStartMs),
    accepted: trial.accepted + results.accepted,
  }
}

/**
 * @param forMs How long the rate has to hold.
 * @param count How many requests have to be accepted, at least.
 */
export function judgeTrial(
  trial: Trial,
  rps: number,
  need: { readonly forMs: number; readonly count: number },
  nowMs: number,
): 'open' | 'held' | 'unused' {
  if (trial.sinceMs === null) return 'open'
  const elapsedMs = nowMs - trial.sinceMs
  if (elapsedMs < need.forMs) return 'open'
  const isUsed = trial.accepted >= (USED_PART * rps * elapsedMs) / 1000
  if (isUsed && trial.accepted >= need.count) return 'held'
  const longestMs = Math.max(need.forMs, (need.count * 1000) / rps) * GIVEN_UP_AFTER
  return elapsedMs >= longestMs ? 'unused' : 'open'
}
