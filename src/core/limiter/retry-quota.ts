/**
 * How much of what a domain is sent may be repeats (the retry quota of the AWS SDKs, costs of 2026).
 *
 * A full quota pays for some thirty-five repeats of failures; each success that needed one gives its cost
 * back, each success at first try gives 1. So a few failures among many successes are always repeated, and
 * when everything fails they soon come more slowly: a repeat that is not paid for waits one more back-off and is
 * then sent as a first try would be. So an empty quota slows a domain down, but never ends it and fails nothing.
 */

/** Of a domain that has not failed yet, and the most there can be. */
export const fullQuota = 500

const costs = { transient: 14, throttling: 5 } as const

/**
 * Pays for one repeat.
 * @param quota 0 to {@link fullQuota}.
 * @param kind Why the last try failed: the server was in trouble, or asked us to slow down.
 * @returns `cost` is to be given back by `repay` when the repeat succeeds; 0 when it is not allowed.
 */
export function takeRetry(
  quota: number,
  kind: keyof typeof costs,
): { readonly quota: number; readonly allowed: boolean; readonly cost: number } {
  const cost = costs[kind]
  return quota >= cost
    ? { quota: quota - cost, allowed: true, cost }
    : { quota, allowed: false, cost: 0 }
}

/** @param cost Of the last repeat of what succeeded; undefined when it needed none. */
export function repay(quota: number, cost: number | undefined): number {
  return Math.min(fullQuota, quota + (cost ?? 1))
}
