/** The line of a process as it will be served, which is not the order in which callers came. */
import { takePermit, type HeldLease } from './held-lease.ts'
import { claimKey, nextInLine, type Claimant } from './waiting-line.ts'

/** How many of the line get their permits before a newcomer would; the next leases are taken to be like this one. */
export function aheadInLine(
  line: readonly Claimant[],
  newcomer: Claimant,
  lease: HeldLease,
): number {
  let spending = lease
  let left = [...line, newcomer]
  for (let ahead = 0; ahead < line.length; ahead += 1) {
    const index = nextInLine(left, spending)
    const next = left[index]
    if (next === undefined || index === left.length - 1) return ahead
    left = left.toSpliced(index, 1)
    spending = takePermit(spending, claimKey(next))
    if (spending.next >= spending.permits) {
      spending = { ...lease, next: 0, used: {} }
    }
  }
  return line.length
}
