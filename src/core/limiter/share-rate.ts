/** Who gets how much: by priority, then fair between projects by weight, then between the processes of each. */
import { permitsWanted, type LimiterState, type Want, type WorkerRecord } from './limiter-state.ts'
import { maxMin, wholeShares, type Claim } from './max-min.ts'
import type { Priority } from './protocol.ts'
import { claimKey } from './waiting-line.ts'

/** Of what is there, kept for each of the priorities below one. */
const KEPT_FOR_LOWER = 0.1
const priorities: readonly Priority[] = ['interactive', 'high', 'normal', 'background']

export interface RankedClaim extends Claim {
  readonly priority: Priority
}

/**
 * Weighted max-min within each priority, the higher ones first; but a tenth stays for each one below that
 * wants it, so nothing starves.
 * @returns One share per claim, in order.
 */
export function divide(capacity: number, claims: readonly RankedClaim[]): number[] {
  const shares = claims.map(() => 0)
  let left = capacity
  for (const [rank, priority] of priorities.entries()) {
    const members = claims.flatMap((claim, index) => (claim.priority === priority ? [index] : []))
    const kept = priorities
      .slice(rank + 1)
      .map((lower) => wantOf(claims.filter((claim) => claim.priority === lower)))
      .reduce((sum, wanted) => sum + Math.min(wanted, KEPT_FOR_LOWER * capacity), 0)
    const part = maxMin(
      left - kept,
      members.flatMap((index) => claims[index] ?? []),
    )
    for (const [position, index] of members.entries()) {
      shares[index] = part[position] ?? 0
      left -= part[position] ?? 0
    }
  }
  return shares
}

function wantOf(claims: readonly Claim[]): number {
  return claims.reduce((sum, { want }) => sum + want, 0)
}

export interface Deal {
  /** Whole permits, one number per claim, in order. */
  readonly shares: readonly number[]
  /** What rounding still owes each claim; below 0 for one that got more than its share. */
  readonly owed: readonly number[]
}

/**
 * The same in whole permits. What rounding takes from a claim it is owed in the next deal: dealt one by one,
 * permits would otherwise all go to the first.
 * @param owed By the deals before, in the order of the claims.
 */
export function dealWhole(
  permits: number,
  claims: readonly RankedClaim[],
  owed: readonly number[],
): Deal {
  const due = divide(permits, claims).map((share, index) => share + (owed[index] ?? 0))
  const shares = wholeShares(permits, claims, due)
  return { shares, owed: due.map((share, index) => share - (shares[index] ?? 0)) }
}

/** Processes that want permits. */
export function wantingWorkers(state: LimiterState): [string, WorkerRecord][] {
  return Object.entries(state.workers).filter(([, worker]) => permitsWanted(worker) > 0)
}

/**
 * The part of the domain's rate each worker deserves when all that want something are served. What the
 * wants leave over is dealt out evenly.
 * @returns Parts that add up to 1, by worker; only of those that want something.
 */
export function fairParts(state: LimiterState, rate: number): ReadonlyMap<string, number> {
  const workers = wantingWorkers(state)
  const claims = workers.flatMap(([worker, { wants }]) =>
    wants.map((want) => ({ worker, ...claimOf(want, state.policy.slotMs) })),
  )
  const groups = [...new Set(claims.map(claimKey))].map((key) => {
    const members = claims.filter((claim) => claimKey(claim) === key)
    return {
      members,
      priority: members[0]?.priority ?? 'normal',
      want: wantOf(members),
      weight: Math.max(...members.map((claim) => claim.weight)),
    }
  })
  const groupShares = divide(rate, groups)
  const given = new Map(workers.map(([name]) => [name, 0]))
  for (const [index, { members }] of groups.entries()) {
    const shares = maxMin(
      groupShares[index] ?? 0,
      members.map(({ want }) => ({ want, weight: 1 })),
    )
    for (const [position, { worker }] of members.entries()) {
      given.set(worker, (given.get(worker) ?? 0) + (shares[position] ?? 0))
    }
  }
  const sum = [...given.values()].reduce((total, share) => total + share, 0)
  const spare = Math.max(0, rate - sum) / Math.max(1, workers.length)
  return new Map([...given].map(([name, share]) => [name, (share + spare) / rate]))
}

function claimOf([project, permits, weight = 1, priority = 'normal']: Want, slotMs: number) {
  return { project, want: (permits * 1000) / slotMs, weight, priority }
}
