/** Weighted max-min fairness: nobody gets more than they want, and nobody could get more without taking it from somebody who has less. */

export interface Claim {
  readonly want: number
  /** Above 0. */
  readonly weight: number
}

/**
 * Divides a capacity.
 * @returns One share per claim, in order; their sum is at most the capacity.
 */
export function maxMin(capacity: number, claims: readonly Claim[]): number[] {
  const shares = claims.map(() => 0)
  let open = claims.map((claim, index) => ({ ...claim, index }))
  let left = Math.max(0, capacity)
  while (open.length > 0) {
    const perWeight = left / open.reduce((sum, claim) => sum + claim.weight, 0)
    const content = open.filter((claim) => claim.want <= perWeight * claim.weight)
    const served = content.length > 0 ? content : open
    for (const claim of served) {
      shares[claim.index] = content.length > 0 ? claim.want : perWeight * claim.weight
      left -= shares[claim.index] ?? 0
    }
    open = open.filter((claim) => !served.includes(claim))
  }
  return shares
}

/**
 * Whole permits out of exact shares: one after the other to whom most is missing.
 * @param permits Whole number; at most the sum of the (whole) wants is given out.
 */
export function wholeShares(
  permits: number,
  claims: readonly Claim[],
  exact: readonly number[],
): number[] {
  const whole = claims.map(() => 0)
  for (let left = permits; left >= 1; left -= 1) {
    const missing = claims.map(({ want }, index) => {
      const given = whole[index] ?? 0
      return given + 1 <= want ? (exact[index] ?? 0) - given : -Infinity
    })
    const most = Math.max(...missing)
    if (!(most > -Infinity)) break
    const index = missing.indexOf(most)
    whole[index] = (whole[index] ?? 0) + 1
  }
  return whole
}
