/**
 * May this worker have a lease, and which? Asked after the holds of `hold.ts`; the first "no" wins:
 * trickle, or its turn → in-flight cap → a place in the schedule → cost.
 *
 * Invariants, whatever is asked in whatever order: at every instant the rates of all leases that run
 * then add up to at most the domain's rate (leases lie end to end, or beside each other with a part of
 * it each); the in-flight caps of all workers add up to at most the domain's cap; over any time the
 * permits granted are at most rate × time plus one bucket.
 */
import { currentInFlight, currentRate, perLease } from './current-rate.ts'
import {
  inFlightOf,
  leadMs,
  leaseRps,
  othersThan,
  permitsWanted,
  type Lease,
  type LimiterState,
  type WorkerRecord,
} from './limiter-state.ts'
import type { RefusalReason } from './protocol.ts'
import { wantingWorkers } from './share-rate.ts'
import { holderCount, inTurn, permitsPerTurn, TURN_MS } from './turn.ts'

/** The limiter counts a lease longer than its broker does. */
export const GRACE_MS = 250
/** A lease outlives its last permit by this, for brokers that get it late. */
const LATE_MS = 250
/** A probe that has not ended by then is given up. */
export const PROBE_MS = 10_000
const SOONEST_ASK_MS = 100
/** Below this part of its fair rate a lease waits for others to end. */
const WORTHWHILE = 0.6
const ALMOST = 1e-6

export type LeaseDecision =
  | { readonly lease: Lease; readonly inFlightCap: number }
  | { readonly reason: RefusalReason; readonly askAgainMs: number }

type Others = readonly WorkerRecord[]

/** The worker's record already holds what it wants and has on its way. */
export function decideLease(state: LimiterState, name: string): LeaseDecision {
  const { clockMs: now, policy } = state
  const worker = state.workers[name]
  const wanted = worker === undefined ? 0 : permitsWanted(worker)
  if (worker === undefined || wanted < 1) return { reason: 'nothing_wanted', askAgainMs: 0 }
  const others = othersThan(state, name)

  const holders = holderCount(state)
  if (state.trickleMs === null) {
    const line = inTurn(state)
    const place = line.indexOf(name)
    if (place >= holders) {
      const ahead = line.slice(holders, place)
      return { reason: 'no_tokens', askAgainMs: nextTurnMs(state, others, ahead) }
    }
  } else if (now < state.trickleMs) {
    return { reason: 'trickle', askAgainMs: soon(state.trickleMs - now) }
  }

  const fairRps = currentRate(state) / holders
  const ownEndMs = worker.leases.at(-1)?.endMs ?? 0
  const { startMs, rps } = placeFor(
    state,
    Math.max(now, ownEndMs, state.quietUntilMs),
    fairRps,
    others,
  )
  if (startMs - now > Math.max(policy.slotMs, policy.minSpacingMs)) {
    return { reason: 'no_tokens', askAgainMs: soon(startMs - leadMs(policy) - now) }
  }
  const room = capFor(state, worker, others, holders)
  if (room < 1) return { reason: 'in_flight', askAgainMs: roomAfterMs(state, others) }

  const affordable = affordablePermits(state)
  if (affordable < 1) return { reason: 'no_tokens', askAgainMs: untilAffordableMs(state) }
  const most = state.trickleMs === null ? perLease(rps, policy) : 1
  const permits = Math.min(wanted, most, affordable)
  const inFlightCap = Math.min(room, mostOnTheirWay(worker) + permits)
  return { lease: newLease(state, permits, startMs, rps), inFlightCap }
}

/**
 * A few permits that find out whether a broken server is back. Their number bounds them, not their rate,
 * so a broker that gets them late may still use them.
 */
export function probeLease(state: LimiterState, permits: number): Lease {
  const rps = currentRate(state) / state.policy.halfOpenProbes
  const lease = newLease(state, permits, state.clockMs, rps)
  return { ...lease, expiresMs: Math.max(lease.expiresMs, state.clockMs + PROBE_MS + GRACE_MS) }
}

function newLease(state: LimiterState, permits: number, startMs: number, rps: number): Lease {
  const endMs = roundMs(startMs + (permits * 1000) / rps)
  return {
    number: state.leasesGranted + 1,
    epoch: state.epoch,
    permits,
    domainRps: currentRate(state),
    startMs: roundMs(startMs),
    endMs,
    expiresMs: endMs + LATE_MS + GRACE_MS,
    settled: 0,
    sequence: 0,
    ...(state.policy.costPerSecond === null ? {} : { permitCost: state.averageCost }),
  }
}

/** Where in the schedule: as soon as the others leave most of this rate, and then what they leave of it. */
function placeFor(
  state: LimiterState,
  fromMs: number,
  rps: number,
  others: Others,
): { readonly startMs: number; readonly rps: number } {
  const rate = currentRate(state)
  // Under a crawl delay a lease that its broker gets late may reach into the next: it waits that out.
  const endOf = ({ endMs, expiresMs }: Lease) => (state.policy.minSpacingMs > 0 ? expiresMs : endMs)
  const running = others.flatMap(({ leases }) => leases).filter((lease) => endOf(lease) > fromMs)
  const takenAt = (ms: number): number =>
    running.reduce(
      (sum, lease) => sum + (lease.startMs <= ms && endOf(lease) > ms ? leaseRps(lease) : 0),
      0,
    )
  const roomFrom = (ms: number): number =>
    Math.min(
      ...[ms, ...running.map(({ startMs }) => startMs)]
        .filter((instant) => instant >= ms)
        .map((instant) => rate - takenAt(instant)),
    )
  const starts = [fromMs, ...running.map(endOf)].sort((a, b) => a - b)
  const startMs = starts.find((ms) => roomFrom(ms) >= rps * WORTHWHILE) ?? fromMs
  return { startMs, rps: Math.min(rps, roomFrom(startMs)) }
}

/**
 * What a worker may have on its way. Whoever holds alone may have all that the others have not; in the
 * last lease of its turn it leaves half of it to the next, who starts before its requests have ended.
 */
function capFor(
  state: LimiterState,
  worker: WorkerRecord,
  others: Others,
  holders: number,
): number {
  const cap = currentInFlight(state)
  const isLast =
    worker.turn + perLease(currentRate(state) / holders, state.policy) >= permitsPerTurn(state) &&
    wantingWorkers(state).length > holders
  const part = holders > 1 ? cap / holders : isLast ? cap / 2 : cap
  return Math.min(cap - inFlightOf(others, state.clockMs), Math.ceil(part))
}

/** What a worker can have on its way with the leases it holds; what it cannot use is for others. */
function mostOnTheirWay({ inFlight, leases }: WorkerRecord): number {
  return leases.reduce((sum, { permits, settled }) => sum + permits - settled, inFlight)
}

/** Permits the cost budget pays for; where requests are what is metered, any number. */
function affordablePermits({ policy, budget, averageCost }: LimiterState): number {
  if (policy.costPerSecond === null) return Infinity
  return Math.floor(budget / averageCost + ALMOST)
}

function untilAffordableMs({ policy, budget, averageCost }: LimiterState): number {
  return soon(((averageCost - budget) * 1000) / (policy.costPerSecond ?? 1))
}

/**
 * The next in line looks when the present holder should have renewed; those behind it rarely, unless
 * the ones ahead want so little that their turns are short.
 */
function nextTurnMs(state: LimiterState, others: Others, ahead: readonly string[]): number {
  const soonestMs = roomAfterMs(state, others)
  if (ahead.length === 0) return soonestMs
  const wanted = ahead
    .flatMap((name) => state.workers[name] ?? [])
    .reduce((sum, worker) => sum + permitsWanted(worker), 0)
  const turnsMs = (wanted * 1000) / currentRate(state)
  return Math.min(TURN_MS, (ahead.length + 1) * state.policy.slotMs, soon(soonestMs + turnsMs))
}

/** When the first of the others' leases ends, or a dead worker's requests count no more. */
function roomAfterMs({ clockMs, policy }: LimiterState, others: Others): number {
  const ends = others
    .flatMap(({ leases, capUntilMs, goneMs }) => [
      ...leases.map(({ endMs }) => endMs),
      capUntilMs,
      goneMs,
    ])
    .filter((endMs) => endMs > clockMs)
  return soon(Math.min(...ends, clockMs + policy.slotMs) - clockMs)
}

function soon(ms: number): number {
  return Math.max(SOONEST_ASK_MS, Math.ceil(ms))
}

function roundMs(ms: number): number {
  return Math.round(ms * 1000) / 1000
}
