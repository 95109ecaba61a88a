/** A worker asks: its reports are read, its wishes noted, and it is told yes or no at once. */
import { endLeases } from './advance.ts'
import { decideLease, GRACE_MS } from './grant-lease.ts'
import { holdOf } from './hold.ts'
import { leaseId } from './lease-id.ts'
import {
  currentRate,
  leadMs,
  type Lease,
  type LimiterState,
  type WorkerRecord,
} from './limiter-state.ts'
import { maxMinWhole } from './max-min.ts'
import type { AcquireReply, AcquireRequest, LeaseGrant, LeaseRefusal } from './protocol.ts'
import { snapshotOf } from './snapshot.ts'

/** Part of its share a worker may use when the limiter is silent. */
const SAFE_PART = 0.8
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
  if (last !== undefined && known?.grantedTo === request.requestId) {
    return answer(state, request, grantOf(state, last, known, request))
  }
  if (known === undefined && Object.keys(state.workers).length >= MOST_WORKERS) {
    return answer(state, request, refusalOf(state, 'in_flight', state.policy.slotMs))
  }
  const noted = note(state, request, known)
  const hold = holdOf(noted)
  if (hold !== null) return answerHold(noted, request, hold.reason, hold.forMs)

  const decision = decideLease(noted, request.worker)
  if (!('lease' in decision)) {
    const waiting = keep(noted, request.worker, decision.askAgainMs)
    return answer(waiting, request, refusalOf(waiting, decision.reason, decision.askAgainMs))
  }
  const leased = book(noted, request, decision.lease, decision.inFlightCap)
  return answer(
    leased,
    request,
    grantOf(leased, decision.lease, leased.workers[request.worker], request),
  )
}

function answer(state: LimiterState, request: AcquireRequest, reply: AcquireReply): Answer {
  return {
    state,
    reply: request.snapshot === true ? { ...reply, snapshot: snapshotOf(state) } : reply,
  }
}

function answerHold(
  state: LimiterState,
  request: AcquireRequest,
  reason: LeaseRefusal['reason'],
  forMs: number,
): Answer {
  const ended = endLeases(state, request.worker, () => true)
  const totals = { ...ended.totals, denied: ended.totals.denied + 1 }
  const worker = ended.workers[request.worker]
  const workers =
    worker === undefined
      ? ended.workers
      : { ...ended.workers, [request.worker]: { ...worker, capBefore: worker.cap, cap: 0 } }
  const denied = { ...ended, totals, workers }
  return answer(denied, request, { ...refusalOf(denied, reason, forMs), revoked: true })
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
  const worker: WorkerRecord = {
    leases: known?.leases ?? [],
    grantedTo: known?.grantedTo ?? '',
    cap: known?.cap ?? 0,
    servedMs: known?.servedMs ?? -1,
    wants: request.wants.map(({ project, permits, weight = 1 }) => [project, permits, weight]),
    inFlight: request.inFlight,
    capBefore: 0,
    goneMs: state.clockMs + state.policy.leaseTtlMs + GRACE_MS,
  }
  return { ...state, workers: { ...state.workers, [request.worker]: worker } }
}

/** Remembers a worker that was told to wait until it has had time to ask again. */
function keep(state: LimiterState, name: string, askAgainMs: number): LimiterState {
  const worker = state.workers[name]
  if (worker === undefined) return state
  const goneMs = worker.goneMs + askAgainMs
  return { ...state, workers: { ...state.workers, [name]: { ...worker, goneMs } } }
}

function book(
  state: LimiterState,
  request: AcquireRequest,
  lease: Lease,
  cap: number,
): LimiterState {
  const worker = state.workers[request.worker]
  if (worker === undefined) return state
  const isFresh = worker.leases.length === 0
  return {
    ...state,
    tokens: state.tokens - lease.permits,
    leasesGranted: state.leasesGranted + 1,
    freshStartMs: freshStartAfter(state, lease, isFresh),
    workers: {
      ...state.workers,
      [request.worker]: {
        ...worker,
        leases: [...worker.leases, lease],
        grantedTo: request.requestId,
        capBefore: worker.cap,
        cap,
        servedMs: state.clockMs,
      },
    },
  }
}

/** Under a crawl delay the next process starts where this one's last spacing ends. */
function freshStartAfter(state: LimiterState, lease: Lease, isFresh: boolean): number {
  if (state.policy.minSpacingMs > 0) return lease.endMs
  return isFresh ? lease.startMs + 1000 / currentRate(state) : state.freshStartMs
}

function grantOf(
  state: LimiterState,
  lease: Lease,
  worker: WorkerRecord | undefined,
  request: AcquireRequest,
): LeaseGrant {
  const grantedMs = worker?.servedMs ?? state.clockMs
  const untilEndMs = lease.endMs - grantedMs
  return {
    granted: true,
    leaseId: leaseId(state.idPrefix, lease.number),
    epoch: lease.epoch,
    permits: lease.permits,
    shares: sharesOf(lease.permits, request.wants),
    spacingMs: (lease.endMs - lease.startMs) / lease.permits,
    firstDelayMs: lease.startMs - grantedMs,
    ttlMs: lease.expiresMs - GRACE_MS - grantedMs,
    inFlightCap: worker?.cap ?? 1,
    safeRate: safeRate(state),
    renewAfterMs: Math.ceil(Math.max(untilEndMs / 2, untilEndMs - leadMs(state.policy))),
  }
}

function refusalOf(
  state: LimiterState,
  reason: LeaseRefusal['reason'],
  askAgainMs: number,
): LeaseRefusal {
  return { granted: false, reason, askAgainMs, revoked: false, safeRate: safeRate(state) }
}

function sharesOf(permits: number, wants: AcquireRequest['wants']): LeaseGrant['shares'] {
  const claims = wants.map((want) => ({ want: want.permits, weight: want.weight ?? 1 }))
  const shares = maxMinWhole(permits, claims)
  return wants.flatMap(({ project }, index) => {
    const share = shares[index] ?? 0
    return share > 0 ? [{ project, permits: share }] : []
  })
}

function safeRate(state: LimiterState): number {
  return (SAFE_PART * currentRate(state)) / Math.max(1, Object.keys(state.workers).length)
}
