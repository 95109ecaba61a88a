/**
 * When a process whose turn it is not asks again: often enough that no time passes unused when its turn
 * comes, or when the holder has died; rarely enough that eight waiting processes are no load.
 *
 *  - next in line, and the holder's turn ends with its last lease: a little before that ends
 *  - next in line, and the turn goes on: when the last lease ends; a holder that lives has renewed it by then
 *  - further behind: after the turns of those ahead
 */
import { currentRate, perLease } from './current-rate.ts'
import { permitsWanted, type LimiterState, type WorkerRecord } from './limiter-state.ts'
import { dueMs, holderCount, isInMidTurn, permitsPerTurn, turnOf, LONGEST_TURN_MS } from './turn.ts'

/** How long before the end of somebody else's lease the next in line asks. */
export const HAND_OVER_MS = 300
const SOONEST_ASK_MS = 100

export function soon(ms: number): number {
  return Math.max(SOONEST_ASK_MS, Math.ceil(ms))
}

/**
 * @param line All who want permits, in turn.
 * @param place Of the one that asks: behind the holders.
 */
export function untilTurnMs(state: LimiterState, line: readonly string[], place: number): number {
  const holders = line.slice(0, holderCount(state)).flatMap((name) => state.workers[name] ?? [])
  const freeInMs = Math.min(...holders.map((holder) => freeMs(state, holder))) - state.clockMs
  const ahead = line.slice(holders.length, place).flatMap((name) => state.workers[name] ?? [])
  if (ahead.length === 0) return soon(freeInMs)
  const turns = [...ahead, ...holders].map((worker) => permitsToCome(state, worker))
  const permits = turns.reduce((sum, turn) => sum + turn, 0)
  return Math.min(LONGEST_TURN_MS, soon(freeInMs + (permits * 1000) / currentRate(state)))
}

/** What it will get before its turn is over: what it wants, where that is not even a lease. */
function permitsToCome(state: LimiterState, worker: WorkerRecord): number {
  const rps = currentRate(state) / holderCount(state)
  const wanted = permitsWanted(worker)
  const isHolding = worker.leases.length > 0
  if (wanted < perLease(rps, state.policy)) return isHolding ? 0 : wanted
  return Math.max(0, permitsPerTurn(state) - (isHolding ? turnOf(worker) : 0))
}

/** When this holder's place in the schedule is free unless it renews; or will be asked for, if it holds none. */
function freeMs(state: LimiterState, holder: WorkerRecord): number {
  const { clockMs, policy } = state
  const endMs = holder.leases.at(-1)?.endMs ?? 0
  if (endMs > clockMs) return isInMidTurn(state, holder) ? endMs : endMs - HAND_OVER_MS
  return Math.min(clockMs + policy.slotMs, Math.max(clockMs, dueMs(holder)))
}
