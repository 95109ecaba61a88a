/**
 * May this worker have a lease, and which? Asked after the holds of `hold.ts`; the first "no" wins:
 * trickle, or its turn → in-flight cap → a place in the schedule → cost.
 *
 * Invariants, whatever is asked in whatever order: at every instant the rates of all leases that run
 * then add up to at most the domain's rate (leases lie end to end, or beside each other with a part of
 * it each); the in-flight caps of all workers add up to at most the domain's cap; over any time the
 * permits granted are at most rate × time plus one bucket.
 */
import { controlMode } from './control.ts'
import { currentInFlight, currentRate, perLease } from './current-rate.ts'
import {
  inFlightOf,
  leadMs,
  leaseRps,
  othersThan,
  permitsWanted,
  slotsIn,
  type Lease,
  type LimiterState,
  type WorkerRecord,
} from './limiter-state.ts'
import type { AcquireRequest, RefusalReason } from './protocol.ts'
import { wantingWorkers } from './share-rate.ts'
import { holderCount, inTurn, permitsPerTurn, turnOf } from './turn.ts'
import { HAND_OVER_MS, soon, untilTurnMs } from './ask-again.ts'

/** The limiter counts a lease longer than its broker does. */
export const GRACE_MS = 250
/** A lease outlives its last permit by this, for brokers that get it late; over slow links by more. */
const LATE_MS = 250
const LATE_PER_LINK = 1.5
/** No message is waited for longer. */
const LONGEST_LATE_MS = 5_000
const LONGEST_APART_MS = 100
const ALONE_SLOTS = 2
/** At a known rate a lease has so many permits, or lasts so long. */
const SLOW_PERMITS = 4
const SLOW_MS = 6_000
const LINKS_PER_LEASE = 2.5
/** Of the permits of a lease one part is taken without need; whoever comes meanwhile waits for its end. */
const SPARE_PARTS = 2
/** A probe that has not ended by then is given up. */
export const PROBE_MS = 10_000
/** Below this part of its fair rate a lease waits for others to end. */
const WORTHWHILE = 0.6
const ALMOST = 1e-6
/** Messages are faster one time than another. */
const AHEAD_MS = 100

export type LeaseDecision =
  | { readonly lease: Lease; readonly inFlightCap: number }
  | { readonly reason: RefusalReason; readonly askAgainMs: number }

type Others = readonly WorkerRecord[]

/**
 * The worker's record already holds what it wants and has on its way.
 * @param linkMs How long a message of its takes and the answer, together.
 */
export function decideLease(
  state: LimiterState,
  { worker: name, takesSpare = false }: AcquireRequest,
  linkMs: number,
): LeaseDecision {
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
      return { reason: 'no_tokens', askAgainMs: soon(untilTurnMs(state, line, place) - linkMs) }
    }
  } else if (now < state.trickleMs) {
    return { reason: 'trickle', askAgainMs: soon(state.trickleMs - now) }
  }

  const fairRps = currentRate(state) / holders
  const ownEndMs = worker.leases.at(-1)?.endMs ?? 0
  const fromMs = Math.max(now, ownEndMs, state.quietUntilMs)
  const { startMs, rps } = placeFor(state, fromMs, fairRps, others, linkMs)
  // What a lease of somebody else brings to light before it ends must still reach its successor.
  const isHandOver = startMs > fromMs
  const aheadMs = isHandOver
    ? HAND_OVER_MS + AHEAD_MS + linkMs
    : Math.max(policy.slotMs, 2 * linkMs)
  if (startMs - now > Math.max(aheadMs, policy.minSpacingMs)) {
    const leastMs = (isHandOver ? HAND_OVER_MS : leadMs(policy)) + linkMs
    return { reason: 'no_tokens', askAgainMs: soon(startMs - leastMs - now) }
  }
  const room = capFor(state, worker, others, holders)
  if (room < 1) {
    const soonestMs = startMs - HAND_OVER_MS - linkMs - now
    const askAgainMs = soonestMs > 0 ? soon(soonestMs) : roomAfterMs(state, others)
    return { reason: 'in_flight', askAgainMs }
  }

  const affordable = affordablePermits(state)
  if (affordable < 1) return { reason: 'no_tokens', askAgainMs: untilAffordableMs(state) }
  const spanMs = leaseSpanMs(state, others, linkMs, rps)
  const isShort = affordable < perLease(budgetRps(state), policy)
  const paidRps = isShort ? Math.min(rps, budgetRps(state)) : rps
  const most = state.trickleMs === null ? perLease(paidRps, { ...policy, slotMs: spanMs }) : 1
  const permits = Math.min(
    most,
    Math.max(
      Math.floor(wanted * slotsIn(spanMs, policy)),
      takesSpare && isSpare(state, others) ? Math.floor(most / SPARE_PARTS) : 0,
    ),
    isShort ? most : affordable,
  )
  const inFlightCap = Math.min(room, mostOnTheirWay(worker) + permits)
  const lease = newLease(state, permits, startMs, paidRps)
  return { lease: { ...lease, expiresMs: lease.endMs + lateMs(linkMs) + GRACE_MS }, inFlightCap }
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
  const endMs = rounded(startMs + (permits * 1000) / rps)
  return {
    number: state.leasesGranted + 1,
    epoch: state.epoch,
    permits,
    domainRps: Number(currentRate(state).toPrecision(6)),
    startMs: rounded(startMs),
    endMs,
    expiresMs: endMs + LATE_MS + GRACE_MS,
    settled: 0,
    sequence: 0,
    ...(state.policy.costPerSecond === null
      ? {}
      : { permitCost: Number(state.averageCost.toPrecision(6)) }),
  }
}

/** What this worker leaves unused is missed by nobody, and nothing is learned from it. */
function isSpare({ policy, control }: LimiterState, others: Others): boolean {
  return controlMode(control) === 'fixed' && policy.costPerSecond === null && isAlone(others)
}

function isAlone(others: Others): boolean {
  return others.every((other) => permitsWanted(other) === 0 && other.leases.length === 0)
}

/**
 * How long a lease lasts. Whoever asks alone, at a rate that is known, keeps nobody waiting and need not ask
 * so often; nor is every permit of a slow domain worth a message. Over a slow link the next lease must be there
 * before this one ends, with time for both messages.
 */
function leaseSpanMs(
  { policy, control }: LimiterState,
  others: Others,
  linkMs: number,
  rps: number,
): number {
  // What is metered by cost is bounded by its budget, whatever rate is found.
  const isKnown = controlMode(control) === 'hold' || policy.costPerSecond !== null
  const aloneMs = isAlone(others) ? ALONE_SLOTS * policy.slotMs : 0
  const slowMs = Math.min(SLOW_MS, (SLOW_PERMITS * 1000) / rps)
  const usualMs = Math.max(policy.slotMs, isKnown ? Math.max(aloneMs, slowMs) : 0)
  return Math.max(usualMs, LINKS_PER_LEASE * linkMs)
}

/**
 * How much longer than its last permit a lease lives: it begins late by the time of the answer and ends
 * early by the time of the message, and one message may take longer than the last.
 */
function lateMs(linkMs: number): number {
  return Math.max(LATE_MS, Math.min(LONGEST_LATE_MS, LATE_PER_LINK * linkMs))
}

/** Where in the schedule: as soon as the others leave most of this rate, and then what they leave of it. */
function placeFor(
  state: LimiterState,
  fromMs: number,
  rps: number,
  others: Others,
  linkMs: number,
): { readonly startMs: number; readonly rps: number } {
  const rate = currentRate(state)
  // Under a crawl delay a lease that its broker gets late may reach into the next: it waits that out. And
  // whose answers took longer than this one's will uses its permits later, up to half of what messages take.
  const endOf = ({ endMs, expiresMs, permits, settled }: Lease): number => {
    const longerMs = expiresMs - endMs - GRACE_MS - lateMs(linkMs)
    // A probe lives long although its link is quick; reported, nothing of it is still to come.
    const slowerMs = settled < permits ? longerMs / (2 * LATE_PER_LINK) : 0
    const apartMs = Math.min(LONGEST_APART_MS, linkMs / 2) + Math.max(0, slowerMs)
    return state.policy.minSpacingMs > 0 ? expiresMs : endMs + apartMs
  }
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
    turnOf(worker) + perLease(currentRate(state) / holders, state.policy) >=
      permitsPerTurn(state) && wantingWorkers(state).length > holders
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

/** As fast as the budget is filled: a lease at this rate pays for itself while it is spent. */
function budgetRps({ policy, averageCost }: LimiterState): number {
  return (policy.costPerSecond ?? Infinity) / averageCost
}

function untilAffordableMs({ policy, budget, averageCost }: LimiterState): number {
  return soon(((averageCost - budget) * 1000) / (policy.costPerSecond ?? 1))
}

/** When the first of the others' leases ends, or a dead worker's requests count no more. */
function roomAfterMs({ clockMs, policy }: LimiterState, others: Others): number {
  const ends = others
    .flatMap(({ leases, served, goneMs }) => [
      ...leases.map(({ endMs }) => endMs),
      served?.capUntilMs ?? 0,
      goneMs,
    ])
    .filter((endMs) => endMs > clockMs)
  return soon(Math.min(...ends, clockMs + policy.slotMs) - clockMs)
}

/** Three digits say enough of an instant in ms; sixteen would be most of the state. */
function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}
