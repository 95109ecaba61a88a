/** A worker asks: its reports are read, its wishes noted, and it is told yes or no at once. */
import { endLeases } from './advance.ts'
import { controlMode } from './control.ts'
import { decideLease, GRACE_MS, PROBE_MS, probeLease } from './grant-lease.ts'
import { holdOf } from './hold.ts'
import { leaseId } from './lease-id.ts'
import { grantProbes } from './circuit-breaker.ts'
import { currentInFlight, currentRate } from './current-rate.ts'
import {
  inFlightOf,
  KEPT_MS,
  leadMs,
  othersThan,
  permitsWanted,
  slotsIn,
  type Lease,
  type LimiterState,
  type Served,
  type Share,
  type Want,
  type WorkerRecord,
} from './limiter-state.ts'
import type {
  AcquireReply,
  AcquireRequest,
  LeaseGrant,
  LeaseRefusal,
  ProjectWant,
} from './protocol.ts'
import { dealTo } from './deal.ts'
import { lookOutMs } from './look-out.ts'
import { snapshotOf } from './snapshot.ts'
import { bookTurn } from './turn.ts'

/** Part of its share a worker may use when the limiter is silent; less while the rate is being searched. */
const SAFE_PART = 0.8
const SAFE_PART_SEARCHING = 0.5
/** A process with requests on its way reports every two seconds; one that does not is dead, with all of them. */
const SILENT_MS = 2_500
/** A lease is renewed so many of its messages' times ahead. */
const LINKS_AHEAD = 1.5
/** What is not answered by then is given up (`temporal-channel.ts`); a process that slept meanwhile measures more. */
const LONGEST_LINK_MS = 5_000
/** Whose messages take longer is expected later than it was told to ask (`turn.ts` passes over who is overdue). */
const PROMPT_LINK_MS = 500
/** Processes one domain serves at a time; a further one asks again and comes in as others leave. */
const MOST_WORKERS = 16

export interface Answer {
  readonly state: LimiterState
  readonly reply: AcquireReply
}

/** `state` has already read the request's reports. */
export function answerAcquire(state: LimiterState, request: AcquireRequest): Answer {
  const known = state.workers[request.worker]
  const last = known?.leases.at(-1)
  if (last !== undefined && known?.served?.requestId === shortId(request)) {
    return answer(state, request, grantOf(state, last, known, request))
  }
  if (known === undefined && Object.keys(state.workers).length >= MOST_WORKERS) {
    return answer(state, request, refusalOf(state, 'in_flight', state.policy.slotMs))
  }
  const noted = note(state, request, known)
  const hold = holdOf(noted)
  if (hold !== null) return answerHold(noted, request, hold.reason, hold.forMs)

  if (noted.breaker.state === 'half_open') return answerProbe(noted, request)
  const decision = decideLease(noted, request, linkMsOf(request))
  if (!('lease' in decision)) {
    const waiting = keep(noted, request, decision.askAgainMs)
    return answer(waiting, request, refusalOf(waiting, decision.reason, decision.askAgainMs))
  }
  return grant(noted, request, decision.lease, decision.inFlightCap)
}

function grant(before: LimiterState, request: AcquireRequest, given: Lease, cap: number): Answer {
  const { state, lease } = dealTo(before, request.worker, given)
  const leased = book(state, request, lease, cap)
  return answer(leased, request, grantOf(leased, lease, leased.workers[request.worker], request))
}

function answer(state: LimiterState, request: AcquireRequest, reply: AcquireReply): Answer {
  return {
    state,
    reply: request.snapshot === true ? { ...reply, snapshot: snapshotOf(state) } : reply,
  }
}

/** Half open: a few probes, whoever asks first; the verdict on them is everybody's. */
function answerProbe(state: LimiterState, request: AcquireRequest): Answer {
  const { policy, clockMs, trickleMs } = state
  if (trickleMs !== null && clockMs < trickleMs) {
    return answerHold(state, request, 'trickle', Math.ceil(trickleMs - clockMs))
  }
  const wanted = request.wants.reduce((sum, { permits }) => sum + permits, 0)
  const others = othersThan(state, request.worker)
  const room = Math.max(0, policy.maxInFlight - inFlightOf(others, clockMs))
  const most = Math.min(wanted, room, trickleMs === null ? Infinity : 1)
  const spacedMs = policy.minSpacingMs > 0 ? Math.ceil(state.quietUntilMs - clockMs) : 0
  if (spacedMs > 0) return answerHold(state, request, 'breaker_open', spacedMs)
  const given = grantProbes(state.breaker, most, clockMs, PROBE_MS, policy)
  if (given.permits < 1) return answerHold(state, request, 'breaker_open', policy.slotMs)
  const lease = probeLease(state, given.permits)
  // Under a crawl delay the probes of another process come after these.
  const quietUntilMs = policy.minSpacingMs > 0 ? lease.endMs : state.quietUntilMs
  const probing = { ...state, breaker: given.breaker, quietUntilMs }
  return grant(probing, request, lease, given.permits)
}

function answerHold(
  state: LimiterState,
  request: AcquireRequest,
  reason: LeaseRefusal['reason'],
  forMs: number,
): Answer {
  const ended = endLeases(state, request.worker, () => true)
  const isAsking = request.wants.some(({ permits }) => permits > 0)
  const denied = ended.totals.denied + (isAsking ? 1 : 0)
  const worker = ended.workers[request.worker]
  const served = worker?.served && { ...worker.served, capBefore: worker.served.cap, cap: 0 }
  const workers = served
    ? { ...ended.workers, [request.worker]: { ...worker, served } }
    : ended.workers
  const held = { ...ended, totals: { ...ended.totals, denied }, workers }
  return answer(held, request, { ...refusalOf(held, reason, forMs), revoked: true })
}

/**
 * Writes down what the worker wants and has on its way. A new request shows that the last reply has
 * arrived, so from here on its cap is the only one that counts beside what was on its way already.
 */
function note(
  state: LimiterState,
  request: AcquireRequest,
  known: WorkerRecord | undefined,
): LimiterState {
  const { leases = [], served = null, lead = 0 } = known ?? {}
  // Once every permit is accounted for, what it says is on its way is all there is.
  const isSpending = leases.some(({ settled, permits }) => settled < permits)
  const worker: WorkerRecord = {
    leases,
    served: served && { ...served, cap: isSpending ? served.cap : 0, capBefore: 0 },
    lead,
    wants: request.wants.map(wantOf),
    inFlight: request.inFlight,
    goneMs: state.clockMs + KEPT_MS,
  }
  return { ...state, workers: { ...state.workers, [request.worker]: worker } }
}

/** Remembers a worker that was told to wait until it has had time to ask again, also over a slow link. */
function keep(state: LimiterState, request: AcquireRequest, askAgainMs: number): LimiterState {
  const worker = state.workers[request.worker]
  if (worker === undefined) return state
  const slowMs = Math.max(0, linkMsOf(request) - PROMPT_LINK_MS)
  const goneMs = worker.goneMs + askAgainMs + slowMs
  return { ...state, workers: { ...state.workers, [request.worker]: { ...worker, goneMs } } }
}

function book(
  state: LimiterState,
  request: AcquireRequest,
  lease: Lease,
  cap: number,
): LimiterState {
  const { workers, turn } = bookTurn(state, request.worker, lease.permits)
  const worker = workers[request.worker]
  if (worker === undefined) return state
  const served: Served = {
    atMs: state.clockMs,
    requestId: shortId(request),
    turn,
    cap,
    capBefore: worker.served?.cap ?? 0,
    capUntilMs: lease.expiresMs + SILENT_MS,
  }
  const slots = slotsIn(lease.endMs - lease.startMs, state.policy)
  return {
    ...state,
    leasesGranted: state.leasesGranted + 1,
    budget: state.budget - lease.permits * (lease.permitCost ?? 0),
    trickleMs: state.trickleMs === null ? null : lease.startMs + state.policy.slotMs,
    workers: {
      ...workers,
      [request.worker]: {
        ...worker,
        leases: [...worker.leases, lease],
        served,
        ...(lease.permits >= Math.floor(permitsWanted(worker) * slots) ? { isServed: true } : {}),
      },
    },
  }
}

function linkMsOf({ roundTripMs = 0 }: AcquireRequest): number {
  return Math.min(LONGEST_LINK_MS, roundTripMs)
}

function grantOf(
  state: LimiterState,
  lease: Lease,
  worker: WorkerRecord | undefined,
  request: AcquireRequest,
): LeaseGrant {
  const grantedMs = worker?.served?.atMs ?? state.clockMs
  const untilEndMs = lease.endMs - grantedMs
  const firstDelayMs = Math.max(0, lease.startMs - grantedMs)
  const afterMs = lookOutMs(state, request.worker, lease, linkMsOf(request))
  const aheadMs = Math.max(leadMs(state.policy), LINKS_AHEAD * linkMsOf(request))
  return {
    granted: true,
    leaseId: leaseId(state.idPrefix, lease.number),
    epoch: lease.epoch,
    permits: lease.permits,
    shares: sharesOf(lease, request.wants),
    spacingMs: (lease.endMs - lease.startMs) / lease.permits,
    firstDelayMs,
    ttlMs: Math.max(0, lease.expiresMs - GRACE_MS - grantedMs),
    inFlightCap: worker?.served?.cap ?? 1,
    safeRate: safeRate(state),
    safeInFlight: safeInFlight(state),
    retryAfterCapMs: state.policy.retryAfterCapMs,
    renewAfterMs: Math.max(0, Math.ceil(Math.max(untilEndMs / 2, untilEndMs - aheadMs))),
    ...(afterMs === null ? {} : { lookOutMs: firstDelayMs + afterMs }),
  }
}

function refusalOf(
  state: LimiterState,
  reason: LeaseRefusal['reason'],
  askAgainMs: number,
): LeaseRefusal {
  const alone = { safeRate: safeRate(state), safeInFlight: safeInFlight(state) }
  return { granted: false, reason, askAgainMs, revoked: false, ...alone }
}

function sharesOf({ permits, shares }: Lease, wants: readonly ProjectWant[]): LeaseGrant['shares'] {
  const all: readonly Share[] =
    shares ??
    wants.map(({ project, priority }): Share =>
      priority === undefined ? [project, permits] : [project, permits, priority],
    )
  return all.map(([project, share, priority]) =>
    priority === undefined ? { project, permits: share } : { project, priority, permits: share },
  )
}

function safeRate(state: LimiterState): number {
  const isSure = controlMode(state.control) !== 'search'
  const part = isSure ? SAFE_PART : SAFE_PART_SEARCHING
  return (part * currentRate(state)) / Math.max(1, Object.keys(state.workers).length)
}

/** So that all of them together keep to the cap; where there are more of them than that, one each. */
function safeInFlight(state: LimiterState): number {
  const workers = Math.max(1, Object.keys(state.workers).length)
  return Math.max(1, Math.floor(currentInFlight(state) / workers))
}

/** Sixteen request ids that repeat the name of their worker would be a lot of a small state. */
function shortId({ worker, requestId }: AcquireRequest): string {
  return requestId.startsWith(worker) ? requestId.slice(worker.length) : requestId
}

function wantOf({ project, permits, weight = 1, priority = 'normal' }: ProjectWant): Want {
  if (priority !== 'normal') return [project, permits, weight, priority]
  return weight === 1 ? [project, permits] : [project, permits, weight]
}
