/**
 * How fast a process goes on when the limiter cannot be reached (research/limiter.md §3.7).
 *
 * It starts only when a lease was granted before and has been spent: a process that was never told a
 * rate sends nothing. The limiter names the rate beforehand (0.8 of a fair share), it is halved every
 * 30 s, and after 10 minutes nothing is sent any more.
 */

/** A limiter may be silent for 3 s while it moves to another process; that is not "away". */
export const SAFE_AFTER_MS = 4_000
const HALVED_EVERY_MS = 30_000
const ENDS_AFTER_MS = 600_000

/**
 * Requests per second, 0 for none.
 * @param grantedSafeRate As of the limiter's last reply; undefined before the first.
 * @param silentMs How long the limiter has not answered.
 */
export function safeRateAfter(grantedSafeRate: number | undefined, silentMs: number): number {
  if (grantedSafeRate === undefined || silentMs < SAFE_AFTER_MS || silentMs >= ENDS_AFTER_MS)
    return 0
  return grantedSafeRate / 2 ** Math.floor(silentMs / HALVED_EVERY_MS)
}
