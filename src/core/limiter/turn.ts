/**
 * Whose turn it is. Few processes hold leases at a time, each with its whole part of the rate: many that
 * each pace a small part clump together at the server, which a strict one refuses (research/limiter.md
 * §0.4). A turn lasts for some leases, since every change of hands risks the same.
 *
 * Fairness: each process carries a lead, what it got beyond its fair part; the one with the smallest
 * goes next. One that somebody waits for at a screen goes before, as long as its lead is less than one
 * turn.
 */
import { currentRate } from './current-rate.ts'
import type { LimiterState, WorkerRecord } from './limiter-state.ts'
import { fairParts, wantingWorkers } from './share-rate.ts'

/** One process paces so many requests per second well; a faster domain has more holders. */
const RPS_PER_HOLDER = 100
export const TURN_MS = 10_000

/** How many hold leases at the same time, at least 1. */
export function holderCount(state: LimiterState): number {
  const wanting = wantingWorkers(state).length
  if (state.policy.minSpacingMs > 0 || state.trickleMs !== null) return 1
  return Math.max(1, Math.min(wanting, Math.ceil(currentRate(state) / RPS_PER_HOLDER)))
}

/** Permits of one turn. */
export function permitsPerTurn(state: LimiterState): number {
  return Math.max(1, (currentRate(state) * TURN_MS) / 1000 / holderCount(state))
}

/** Processes that want permits, in the order in which they get them; names break ties. */
export function inTurn(state: LimiterState): readonly string[] {
  const whole = permitsPerTurn(state)
  const least = leastLead(state)
  const rankOf = ([, worker]: [string, WorkerRecord]): number => {
    const holds = isHolding(state, worker)
    // Got what it wanted, and has not come back: whoever waited for it would wait for nothing.
    if (worker.isServed === true && !holds) return 3
    if (isUrgent(worker) && worker.lead - least < whole) return 0
    return holds && worker.turn < whole ? 1 : 2
  }
  return wantingWorkers(state)
    .map((entry) => ({ name: entry[0], rank: rankOf(entry), lead: entry[1].lead }))
    .sort((a, b) => a.rank - b.rank || a.lead - b.lead || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name)
}

/** A refusal takes the lease away, not the turn; but a lease that ends as little was wanted ends it. */
function isHolding({ clockMs, policy }: LimiterState, worker: WorkerRecord): boolean {
  const { leases, servedMs, isServed } = worker
  const isLately = isServed !== true && servedMs >= 0 && clockMs - servedMs < policy.slotMs
  return isLately || leases.some(({ endMs }) => endMs > clockMs)
}

function isUrgent({ wants }: WorkerRecord): boolean {
  return wants.some(([, permits, , priority]) => priority === 'interactive' && permits > 0)
}

function leastLead(state: LimiterState): number {
  return Math.min(...wantingWorkers(state).map(([, worker]) => worker.lead))
}

/** Books permits on a worker's turn and lead; leads are kept small by taking the smallest off all. */
export function bookTurn(
  state: LimiterState,
  name: string,
  permits: number,
): LimiterState['workers'] {
  const part = fairParts(state, currentRate(state)).get(name) ?? 1
  const holder = state.workers[name]
  const isNew = holder === undefined || !isHolding(state, holder)
  const least = leastLead(state)
  const rebased = Object.entries(state.workers).map(([other, worker]): [string, WorkerRecord] => {
    const lead = Math.max(0, worker.lead - least)
    if (other !== name) return [other, { ...worker, lead }]
    const turn = (isNew || worker.turn >= permitsPerTurn(state) ? 0 : worker.turn) + permits
    return [other, { ...worker, turn, lead: lead + permits / Math.max(part, 0.001) }]
  })
  return Object.fromEntries(rebased)
}
