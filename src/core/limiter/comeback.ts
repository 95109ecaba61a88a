/** When a caller that was turned away should try again: one after the other, as fast as permits come. */

const SOONEST_MS = 100

export interface Comeback {
  readonly retryAfterMs: number
  /** Pass it to the next call: callers get distinct times. */
  readonly lastPromiseMs: number
}

/**
 * @param waitMs Until a permit could be had if nobody else had been turned away.
 * @param rate Permits per second this process gets.
 * @param lastPromiseMs The latest time promised to anybody so far.
 * @param horizonMs How much later than the first the last may come: callers that never return (a cancelled
 * run) must not slow down the rest for long.
 * @param random Uniform in [0, 1): spreads callers of many processes over a tenth of the wait.
 */
export function comeback(
  nowMs: number,
  waitMs: number,
  rate: number,
  lastPromiseMs: number,
  horizonMs: number,
  random: number,
): Comeback {
  const soonestMs = nowMs + waitMs
  const spacingMs = Math.min(1000 / rate, horizonMs)
  const promiseMs = Math.min(Math.max(soonestMs, lastPromiseMs + spacingMs), soonestMs + horizonMs)
  const spreadMs = random * Math.max(spacingMs, waitMs / 10)
  return {
    retryAfterMs: Math.max(SOONEST_MS, Math.ceil(promiseMs - nowMs + spreadMs)),
    lastPromiseMs: promiseMs,
  }
}
