/**
 * The whole brain of a domain's limiter: one pure function, called by the workflow, by the in-process
 * limiter and by simulations. No clock and no chance inside: both are arguments.
 *
 *            restored             refusal (`refusal.ts`)
 *  STARTING ──────────▶ SENDING ────────────────────────────▶ WAITING, TRICKLE
 *                        ▲  │ ▲ ◀──────── time, success ──────────┘
 *                 resume │  │ └──── probes succeed ──── BROKEN (`circuit-breaker.ts`)
 *                        │  ▼ pause                        ▲ failures
 *                       PAUSED (by hand)      SENDING ─────┘
 *
 * STARTING, WAITING, BROKEN and PAUSED grant nothing and revoke what the asker still holds. SENDING
 * grants leases (`grant-lease.ts`, with its invariants) of the rate the strategy finds (`strategy.ts`).
 * Every message may arrive twice: leases are the same for the same request id, reports count once per
 * sequence.
 */
import { answerAcquire } from './acquire.ts'
import { advance, endLeases } from './advance.ts'
import { leaseId } from './lease-id.ts'
import { leaseRps, nothingLearned, type LimiterState } from './limiter-state.ts'
import type { DomainPolicy } from './policy.ts'
import type {
  AcquireReply,
  AcquireRequest,
  PauseDomainRequest,
  RefusedNotice,
  ReleaseRequest,
} from './protocol.ts'
import { readReports } from './read-reports.ts'
import { refuse } from './refusal.ts'

/** The saved count may be older than leases still out there: new ids must differ from theirs. */
const ID_LEAP = 10_000

export type LimiterEvent =
  | { readonly kind: 'acquire'; readonly request: AcquireRequest }
  | { readonly kind: 'release'; readonly request: ReleaseRequest }
  | { readonly kind: 'refused'; readonly notice: RefusedNotice }
  /** What an earlier limiter of the domain left behind; null when nothing (usable) was found. */
  | { readonly kind: 'restored'; readonly saved: LimiterState | null }
  | { readonly kind: 'pause'; readonly request: PauseDomainRequest }
  | { readonly kind: 'resume' }
  | { readonly kind: 'policy'; readonly policy: DomainPolicy }
  /** Forget what was learned of the server. */
  | { readonly kind: 'reset' }
  | { readonly kind: 'tick' }

export interface StepResult {
  readonly state: LimiterState
  /** One for an `acquire`, none for anything else. */
  readonly replies: readonly AcquireReply[]
}

/**
 * @param nowMs Wall clock of whoever keeps the state; may jump (`advance.ts`).
 * @param random Uniform in [0, 1).
 */
export function step(
  state: LimiterState,
  event: LimiterEvent,
  nowMs: number,
  random: number,
): StepResult {
  const now = advance(state, nowMs)
  switch (event.kind) {
    case 'acquire': {
      const heard = keepCrawlDelay(now, readReports(now, event.request.reports, random))
      const { state: next, reply } = answerAcquire(heard, event.request)
      return { state: next, replies: [reply] }
    }
    case 'release':
      return silent(
        release(
          keepCrawlDelay(now, readReports(now, event.request.reports, random)),
          event.request,
        ),
      )
    case 'refused':
      return silent(
        keepCrawlDelay(
          now,
          refuse(readReports(now, event.notice.reports, random), event.notice, random),
        ),
      )
    case 'restored':
      return silent(restore(now, event.saved, nowMs))
    case 'pause':
      return silent({ ...now, pausedBecause: event.request.reason })
    case 'resume':
      return silent(resume(now))
    case 'policy':
      return silent(changePolicy(now, event.policy))
    case 'reset':
      return silent({ ...now, ...nothingLearned(now.policy, now.clockMs), epoch: now.epoch + 1 })
    case 'tick':
    default:
      return silent(now)
  }
}

function silent(state: LimiterState): StepResult {
  return { state, replies: [] }
}

/** Ends a pause by hand, and the wait a server asked for: half the rate for a slot begins now, not at its end. */
function resume(state: LimiterState): LimiterState {
  const { clockMs } = state
  return {
    ...state,
    pausedBecause: null,
    pauseUntilMs: Math.min(state.pauseUntilMs, clockMs),
    resumedMs: Math.min(state.resumedMs, clockMs),
    trickleMs: state.trickleMs === null ? null : Math.min(state.trickleMs, clockMs),
  }
}

/** What the worker has on its way still counts after it wants nothing any more. */
function release(state: LimiterState, request: ReleaseRequest): LimiterState {
  const ended = endLeases(keepDistance(state, request), request.worker, ({ number }) =>
    request.leaseIds.includes(leaseId(state.idPrefix, number)),
  )
  const { [request.worker]: worker, ...others } = ended.workers
  if (worker === undefined || worker.leases.length > 0) return ended
  if (request.inFlight === 0) return { ...ended, workers: others }
  const served = worker.served && { ...worker.served, cap: 0, capBefore: 0 }
  const left = { ...worker, wants: [], served, inFlight: request.inFlight }
  return { ...ended, workers: { ...others, [request.worker]: left } }
}

/** The last request of a lease that is cut short may just have been sent: the next waits one spacing. */
function keepDistance(state: LimiterState, request: ReleaseRequest): LimiterState {
  const { clockMs, idPrefix, workers } = state
  const cut = (workers[request.worker]?.leases ?? []).filter(
    ({ number, startMs, endMs }) =>
      request.leaseIds.includes(leaseId(idPrefix, number)) && startMs <= clockMs && clockMs < endMs,
  )
  const untilMs = cut.map((lease) => Math.min(lease.endMs, clockMs + 1000 / leaseRps(lease)))
  return { ...state, quietUntilMs: Math.max(state.quietUntilMs, ...untilMs) }
}

/**
 * A refusal frees what its process held, but the request that was refused was sent all the same: the crawl delay
 * runs from it, whatever back-off runs beside.
 */
function keepCrawlDelay(before: LimiterState, after: LimiterState): LimiterState {
  const { minSpacingMs } = after.policy
  if (after.epoch === before.epoch || minSpacingMs === 0) return after
  return {
    ...after,
    quietUntilMs: Math.max(after.quietUntilMs, after.clockMs + minSpacingMs),
  }
}

/** What was learned stays, unless another strategy has to learn it anew. */
function changePolicy(state: LimiterState, policy: DomainPolicy): LimiterState {
  // Before the first lease nothing is known but where to begin, and that the operator may just have said.
  const goesOn = policy.strategy === state.policy.strategy && state.leasesGranted > 0
  // An older sender does not know every field.
  const whole = { ...state.policy, ...policy }
  const next = { ...state, policy: whole, ...budgetUnder(whole, state) }
  const { control } = nothingLearned(whole, state.clockMs)
  return goesOn ? next : { ...next, control }
}

/**
 * Who begins to meter has nothing spent yet; and a request that seems dearer than the whole budget would never be sent
 * again, so that it could not turn out cheaper.
 */
function budgetUnder(
  { costPerSecond, costBurst }: DomainPolicy,
  { policy, budget, averageCost }: LimiterState,
): Pick<LimiterState, 'budget' | 'averageCost'> {
  const isMetered = costPerSecond !== null
  return {
    budget: policy.costPerSecond === null ? costBurst : Math.min(budget, costBurst),
    averageCost: isMetered ? Math.min(averageCost, costBurst) : averageCost,
  }
}

/** The saved memory under the present policy; who has asked meanwhile is not forgotten. */
function restore(state: LimiterState, saved: LimiterState | null, nowMs: number): LimiterState {
  if (state.restored) return state
  if (saved === null) return { ...state, restored: true }
  const known = { ...changePolicy(saved, state.policy), stepVersion: state.stepVersion }
  const aged = advance(known, nowMs)
  const workers = Object.fromEntries(
    Object.entries(state.workers).map(([name, worker]) => [
      name,
      {
        ...worker,
        leases: aged.workers[name]?.leases ?? [],
        served: aged.workers[name]?.served ?? null,
        lead: aged.workers[name]?.lead ?? 0,
        goneMs: worker.goneMs - state.clockMs + aged.clockMs,
      },
    ]),
  )
  return {
    ...aged,
    restored: true,
    // What its leases were told meanwhile: a refusal of theirs may have come before the memory.
    epoch: Math.max(aged.epoch, state.epoch),
    pauseUntilMs: Math.max(aged.pauseUntilMs, aged.clockMs + state.pauseUntilMs - state.clockMs),
    resumedMs: Math.max(aged.resumedMs, aged.clockMs + state.resumedMs - state.clockMs),
    // Ids of its own where the memory knows of no lease: what was set by hand still says where to begin.
    ...(aged.leasesGranted === 0
      ? { idPrefix: state.idPrefix }
      : { leasesGranted: aged.leasesGranted + ID_LEAP }),
    pausedBecause: state.pausedBecause ?? aged.pausedBecause,
    workers: { ...aged.workers, ...workers },
  }
}
