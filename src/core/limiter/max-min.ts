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
 * Whole permits out of exact shares: rounded down, what is left over by largest remainder.
 * @param permits Whole number; at most the sum of the (whole) wants is given out.
 */
export function wholeShares(
  permits: number,
  claims: readonly Claim[],
  exact: readonly number[],
): number[] {
  const whole = exact.map((share) => Math.floor(share + 1e-9))
  let left = Math.min(permits, sum(claims.map((claim) => claim.want))) - sum(whole)
  const byRemainder = exact
    .map((share, index) => ({ index, remainder: share - (whole[index] ?? 0) }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index)
  for (const { index } of byRemainder) {
    const room = (claims[index]?.want ?? 0) - (whole[index] ?? 0)
    if (left < 1 || room < 1) continue
    whole[index] = (whole[index] ?? 0) + 1
    left -= 1
  }
  return whole
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
