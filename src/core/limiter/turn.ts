/**
 * Whose turn it is. Few processes hold leases at a time, each with its whole part of the rate: many that
 * each pace a small part clump together at the server, which a strict one refuses (research/limiter.md
 * §0.4). A turn lasts for some leases, since every change of hands risks the same.
 *
 * Fairness: each process carries a lead, what it got beyond its fair part; the one with the smallest
 * goes next. One that somebody waits for at a screen goes before, as long as its lead is less than one
 * turn.
 */
import { controlMode } from './control.ts'
import { currentRate, perLease } from './current-rate.ts'
import {
  KEPT_MS,
  LONG_AGO_MS,
  permitsWanted,
  type LimiterState,
  type WorkerRecord,
} from './limiter-state.ts'
import { fairParts, wantingWorkers } from './share-rate.ts'

/**
 * One process paces so many requests per second well; a faster domain has more holders. A search overshoots for
 * some seconds, and two that are refused at the same time cost twice.
 */
const RPS_PER_HOLDER = 100
const RPS_IN_SEARCH = 400
export const LONGEST_TURN_MS = 10_000
/** With many processes turns are shorter: within ten minutes each shall have had the same number of them. */
const ROUND_MS = 120_000
/** This part of a lease, or less. */
const MODEST = 10
/** A process that asks so much later than it was told to is passed over. */
const OVERDUE_MS = 1_000

/** How many hold leases at the same time, at least 1. */
export function holderCount(state: LimiterState): number {
  const wanting = wantingWorkers(state).length
  if (state.policy.minSpacingMs > 0 || state.trickleMs !== null) return 1
  const isSearching = controlMode(state.control) === 'search'
  const rpsPerHolder = isSearching ? RPS_IN_SEARCH : RPS_PER_HOLDER
  return Math.max(1, Math.min(wanting, Math.ceil(currentRate(state) / rpsPerHolder)))
}

/** Permits of one turn: of as many whole leases as come nearest to its length. */
export function permitsPerTurn(state: LimiterState): number {
  const rps = currentRate(state) / holderCount(state)
  const turnMs = Math.min(LONGEST_TURN_MS, ROUND_MS / wantingWorkers(state).length)
  return Math.max(1, (rps * turnMs) / 1000 - perLease(rps, state.policy) / 2)
}

/**
 * Processes that want permits, in the order in which they get them. Leads end at one turn, so several may have the same:
 * then whoever was served longest ago goes first.
 */
export function inTurn(state: LimiterState): readonly string[] {
  const whole = permitsPerTurn(state)
  const least = leastLead(state)
  const rankOf = ([, worker]: [string, WorkerRecord]): number => {
    const holds = isHolding(state, worker)
    // Got what it wanted, or was expected, and has not come: whoever waited for it would wait for nothing.
    if (!holds && (worker.isServed === true || isOverdue(state, worker))) return 3
    if ((isUrgent(worker) || isModest(state, worker)) && worker.lead - least < whole) return 0
    return holds && turnOf(worker) < whole ? 1 : 2
  }
  return wantingWorkers(state)
    .map((entry) => ({ name: entry[0], rank: rankOf(entry), worker: entry[1] }))
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        a.worker.lead - b.worker.lead ||
        servedMs(a.worker) - servedMs(b.worker) ||
        (a.name < b.name ? -1 : 1),
    )
    .map(({ name }) => name)
}

/** A refusal takes the lease away, not the turn; but a lease that ends as little was wanted ends it. */
function isHolding({ clockMs, policy }: LimiterState, worker: WorkerRecord): boolean {
  const { leases, isServed } = worker
  const isLately = isServed !== true && clockMs - servedMs(worker) < policy.slotMs
  return isLately || leases.some(({ endMs }) => endMs > clockMs)
}

/** Its turn goes on after its last lease, as far as is known. */
export function isInMidTurn(state: LimiterState, worker: WorkerRecord): boolean {
  return worker.isServed !== true && turnOf(worker) < permitsPerTurn(state)
}

/** Permits of its present turn, or of its last. */
export function turnOf({ served }: WorkerRecord): number {
  return served?.turn ?? 0
}

/** Long ago for one that has not been served, or not lately. */
function servedMs({ served }: WorkerRecord): number {
  return served?.atMs ?? LONG_AGO_MS
}

/** When it was told to ask again; when it last asked, if it got a lease. */
export function dueMs({ goneMs }: WorkerRecord): number {
  return goneMs - KEPT_MS
}

function isOverdue({ clockMs }: LimiterState, worker: WorkerRecord): boolean {
  return clockMs > dueMs(worker) + OVERDUE_MS
}

function isUrgent({ wants }: WorkerRecord): boolean {
  return wants.some(([, permits, , priority]) => priority === 'interactive' && permits > 0)
}

/** Gone before the holder would notice: no reason to wait for the end of its turn. */
function isModest(state: LimiterState, worker: WorkerRecord): boolean {
  const lease = perLease(currentRate(state) / holderCount(state), state.policy)
  return permitsWanted(worker) <= lease / MODEST
}

function leastLead(state: LimiterState): number {
  return Math.min(...wantingWorkers(state).map(([, worker]) => worker.lead))
}

/**
 * Books permits on a worker's turn and lead; leads are kept small by taking the smallest off all.
 * @returns Permits of its turn with these; leads are in `workers`.
 */
export function bookTurn(
  state: LimiterState,
  name: string,
  permits: number,
): { readonly turn: number; readonly workers: LimiterState['workers'] } {
  const share = Math.max(0.001, fairParts(state, currentRate(state)).get(name) ?? 1)
  const whole = permitsPerTurn(state)
  const holder = state.workers[name]
  const isNew = holder === undefined || !isHolding(state, holder)
  const least = leastLead(state)
  const rebased = Object.entries(state.workers).map(([other, worker]): [string, WorkerRecord] => {
    const lead = Math.max(0, worker.lead - least)
    if (other !== name) return [other, { ...worker, lead }]
    const more = Math.round(Math.min(lead + permits / share, whole / share))
    return [other, { ...worker, lead: more }]
  })
  const turn = permits + (isNew ? 0 : turnOf(holder))
  return { turn, workers: Object.fromEntries(rebased) }
}
