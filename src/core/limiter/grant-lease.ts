/**
 * May this worker have a lease, and which? Asked after the holds of `hold.ts`; the first "no" wins:
 * its turn → in-flight cap → rate left by the others → tokens.
 *
 * Invariants, whatever is asked in whatever order:
 * the rates of all live leases add up to at most the domain's rate (one worker's leases follow one
 * another, so its fastest counts); the in-flight caps of all workers add up to at most the domain's
 * cap; over any time the permits granted are at most rate × time plus one bucket.
 */
import {
  currentRate,
  leadMs,
  workerInFlight,
  workerRate,
  type Lease,
  type LimiterState,
  type WorkerRecord,
} from './limiter-state.ts'
import type { RefusalReason } from './protocol.ts'
import { fairRate, wantingWorkers } from './share-rate.ts'

/** The limiter counts a lease longer than its broker does. */
export const GRACE_MS = 250
/** A lease outlives its last permit by this, for brokers that get it late. */
const LATE_MS = 2_000
const SOONEST_ASK_MS = 100
/** Below this part of its fair share a worker waits for the others to make room. */
const WORTHWHILE = 0.5

export type LeaseDecision =
  | { readonly lease: Lease; readonly inFlightCap: number }
  | { readonly reason: RefusalReason; readonly askAgainMs: number }

/** The worker's record already holds what it wants and has on its way. */
export function decideLease(state: LimiterState, name: string): LeaseDecision {
  const { clockMs: now, policy } = state
  const worker = state.workers[name]
  const wanted = worker?.wants.reduce((sum, [, permits]) => sum + permits, 0) ?? 0
  if (worker === undefined || wanted < 1) return { reason: 'nothing_wanted', askAgainMs: 0 }

  const others = Object.entries(state.workers).filter(([other]) => other !== name)
  const inFlightCap = capFor(state, name, others)
  if (inFlightCap < 1) return { reason: 'in_flight', askAgainMs: roomAfterMs(state, others) }

  const share = fairRate(state, name)
  const taken = others.reduce((sum, [, other]) => sum + workerRate(other), 0)
  const rate = Math.min(share, currentRate(state) - taken)
  if (rate < share * WORTHWHILE) {
    return { reason: 'no_tokens', askAgainMs: roomAfterMs(state, others) }
  }

  const ownEndMs = worker.leases.at(-1)?.endMs ?? 0
  const startMs = Math.max(now, ownEndMs === 0 ? state.freshStartMs : ownEndMs)
  if (startMs - now > policy.slotMs) {
    return { reason: 'no_tokens', askAgainMs: soon(startMs - leadMs(policy) - now) }
  }

  const tokens = Math.floor(state.tokens + 1e-9)
  if (tokens < 1) {
    return { reason: 'no_tokens', askAgainMs: soon(((1 - state.tokens) * 1000) / rate) }
  }
  const perSlot = Math.max(1, Math.floor((rate * policy.slotMs) / 1000 + 1e-9))
  const permits = Math.min(wanted, perSlot, tokens)
  const endMs = startMs + (permits * 1000) / rate
  const lifeMs = Math.max(policy.leaseTtlMs, endMs - now + LATE_MS)
  const lease: Lease = {
    number: state.leasesGranted + 1,
    epoch: state.epoch,
    permits,
    startMs: roundMs(startMs),
    endMs: roundMs(endMs),
    expiresMs: now + Math.ceil(lifeMs) + GRACE_MS,
    settled: 0,
    sequence: 0,
  }
  return { lease, inFlightCap }
}

/**
 * The worker's part of the in-flight cap. Where more workers want something than can hold a part (or a
 * crawl delay lets only one send), those served longest ago have their turn.
 */
function capFor(
  state: LimiterState,
  name: string,
  others: readonly (readonly [string, WorkerRecord])[],
): number {
  const { maxInFlight, minSpacingMs } = state.policy
  const wanting = wantingWorkers(state)
  const holders = Math.min(wanting.length, minSpacingMs > 0 ? 1 : maxInFlight)
  const rank = wanting.findIndex(([other]) => other === name)
  if (rank >= holders) return 0
  if (minSpacingMs > 0 && others.some(([, other]) => other.leases.length > 0)) return 0
  const taken = others.reduce((sum, [, other]) => sum + workerInFlight(other), 0)
  return Math.min(maxInFlight - taken, Math.ceil(maxInFlight / holders))
}

/** When the first of the others' leases ends, or a dead worker's expires. */
function roomAfterMs(
  state: LimiterState,
  others: readonly (readonly [string, WorkerRecord])[],
): number {
  const ends = others.flatMap(([, worker]) =>
    worker.leases.map((lease) => (lease.endMs > state.clockMs ? lease.endMs : lease.expiresMs)),
  )
  return soon(Math.min(...ends, state.clockMs + state.policy.slotMs) - state.clockMs)
}

function soon(ms: number): number {
  return Math.max(SOONEST_ASK_MS, Math.ceil(ms))
}

function roundMs(ms: number): number {
  return Math.round(ms * 1000) / 1000
}
