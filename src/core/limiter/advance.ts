/**
 * Time passes: the limiter's own clock, the cost budget, the end of leases, the breaker, the brake.
 *
 * The clock given from outside may jump. Backwards, it stands still here: nothing is refilled and
 * nothing waits longer. Forwards, leases end early (they overlap their successors for at most one
 * life) and the budget is filled once.
 */
import { halfOpenWhenDue } from './breaker-turns.ts'
import { brake } from './brake.ts'
import {
  endedLease,
  type EndedLease,
  type Lease,
  type LimiterState,
  type WorkerRecord,
} from './limiter-state.ts'

/** Ended leases remembered: two of each process, the last and the one before. */
const REMEMBERED = 32

export function advance(state: LimiterState, nowMs: number): LimiterState {
  const elapsedMs = Math.max(0, nowMs - state.wallMs)
  const { costPerSecond, costBurst } = state.policy
  const refilled = state.budget + ((costPerSecond ?? 0) * elapsedMs) / 1000
  const moved = {
    ...state,
    wallMs: nowMs,
    clockMs: state.clockMs + elapsedMs,
    budget: Math.min(costBurst, refilled),
  }
  return brake(halfOpenWhenDue(forgetThePast(moved)))
}

/** Ends leases that are over and drops workers that have nothing left here. */
function forgetThePast(state: LimiterState): LimiterState {
  const workers: Record<string, WorkerRecord> = {}
  const over: Lease[] = []
  for (const [name, worker] of Object.entries(state.workers)) {
    const leases = worker.leases.filter((lease, index) => {
      const succeeded = index < worker.leases.length - 1 && state.clockMs >= lease.endMs
      const isOver = succeeded || state.clockMs >= lease.expiresMs
      if (isOver) over.push(lease)
      return !isOver
    })
    if (leases.length === 0 && isGone(worker, state.clockMs)) continue
    workers[name] = leases.length > 0 ? { ...worker, leases } : atRest(state, worker)
  }
  return { ...state, workers, ended: rememberEnded(state.ended, over) }
}

/** Nothing was heard of it for long, and what it had on its way when it was heard of last has ended. */
function isGone({ goneMs, served }: WorkerRecord, nowMs: number): boolean {
  const mayBeBusy = served !== null && served.cap > 0 && nowMs < served.capUntilMs
  return nowMs >= goneMs && !mayBeBusy
}

function atRest({ clockMs, policy }: LimiterState, worker: WorkerRecord): WorkerRecord {
  const { served } = worker
  const matters =
    served !== null && (clockMs < served.capUntilMs || clockMs < served.atMs + policy.slotMs)
  return { ...worker, leases: [], served: matters ? served : null }
}

/** Ends those leases of a worker at once. */
export function endLeases(
  state: LimiterState,
  name: string,
  isOver: (lease: Lease) => boolean,
): LimiterState {
  const worker = state.workers[name]
  if (worker === undefined) return state
  const leases = worker.leases.filter((lease) => !isOver(lease))
  return {
    ...state,
    workers: { ...state.workers, [name]: { ...worker, leases } },
    ended: rememberEnded(
      state.ended,
      worker.leases
        .filter(isOver)
        .map((lease) => ({ ...lease, endMs: Math.min(lease.endMs, state.clockMs) })),
    ),
  }
}

/**
 * A lease whose permits are all reported is forgotten before any other: a report of it can only be one that was sent
 * twice, and what is not known is not counted. So however fast leases follow each other, a process that is late with a
 * report finds its lease.
 */
function rememberEnded(
  ended: readonly EndedLease[],
  over: readonly Lease[],
): readonly EndedLease[] {
  if (over.length === 0) return ended
  const added = over.map((lease) => endedLease(lease, lease.permits - lease.settled))
  const all = [...ended, ...added]
  let tooMany = all.length - REMEMBERED
  const kept = all.filter(([, , left]) => {
    const isForgotten = left === 0 && tooMany > 0
    if (isForgotten) tooMany -= 1
    return !isForgotten
  })
  return kept.slice(-REMEMBERED)
}
