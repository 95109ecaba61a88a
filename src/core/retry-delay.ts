/** When a transient failure is tried again (DESIGN §3): after about 5 s, 30 s, then every 3 min. */

const stepsMs = [5_000, 30_000, 180_000]

/**
 * The delay before the next attempt.
 *
 * Jitter as wide as the step itself ("full"), but laid around it: uniform in [½ step, 1½ step). Drawing
 * from [0, step) would make one of ten retries come back within half a second, which is no wait at all
 * for a server in trouble; so the mean stays the documented step and the shortest wait is half of it
 * (2.5 s, 15 s, 90 s), while callers that failed together still spread over a whole step.
 * @param attempt Attempts made so far, from 1; above 3 the last step repeats.
 * @param random Uniform in [0, 1).
 * @returns Whole ms, 2,500 to 270,000.
 */
export function retryDelayMs(attempt: number, random: number): number {
  const index = Math.min(Math.max(Math.trunc(attempt), 1), stepsMs.length) - 1
  const stepMs = stepsMs[index] ?? 0
  return Math.round(stepMs * (0.5 + random))
}
