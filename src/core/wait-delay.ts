/**
 * Nobody sleeps longer without looking whether the wait still holds: an operator may have ended it. To look sends
 * nothing to the server; a task does it as often where a network is away.
 */
export const lookAgainMs = 20_000

const FIRST_MS = 2_000
const LONGEST_MS = 30_000

/**
 * How long a task waits before it looks again whether a domain or the network is back, when nobody named a time:
 * doubling from 2 s to 30 s, the upper half of it drawn at random, so that sending goes on within a minute of a return.
 * @param attempt Temporal's number of the activity's attempt, from 1
 * @param random uniform in [0, 1)
 */
export function waitDelayMs(attempt: number, random: number): number {
  const stepMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt - 1, 10))
  return Math.round(stepMs * (0.5 + random / 2))
}
