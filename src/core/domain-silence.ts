/**
 * For how long a domain has answered nobody while it was asked. Time in which nobody asked (a pause, a suspended
 * machine, a night without the program) is not silence: a gap between two failed calls starts the count afresh.
 */

export interface DomainSilence {
  readonly sinceMs: number
  readonly lastFailureMs: number
}

/**
 * Longer than any wait between two attempts of our own choosing, and a little longer than an hour. A server that asks
 * for more is parked, and obeyed for as long as it takes: nobody asks it meanwhile.
 */
const LONGEST_GAP_MS = 65 * 60 * 1000

/** The silence after one more failed call; `before` is null when the last call was answered. */
export function afterFailure(before: DomainSilence | null, nowMs: number): DomainSilence {
  const goesOn = before !== null && nowMs - before.lastFailureMs <= LONGEST_GAP_MS
  return { sinceMs: goesOn ? before.sinceMs : nowMs, lastFailureMs: nowMs }
}

/** How long it has lasted, ms. */
export function silentMs(silence: DomainSilence): number {
  return silence.lastFailureMs - silence.sinceMs
}
