/**
 * The whole brain of a domain's limiter: one pure function, called by the workflow, by the in-process
 * limiter and by simulations. No clock and no chance inside: both are arguments.
 *
 *            restored            refusal of the current epoch
 *  STARTING ──────────▶ SENDING ──────────────────────────────▶ WAITING (pauseUntilMs)
 *                        ▲  │ ▲                                     │ time passes
 *                 resume │  │ └──── one slot at half rate ◀─────────┘
 *                        │  ▼ pause
 *                       PAUSED (by hand)
 *
 * STARTING, WAITING and PAUSED grant nothing and revoke what the asker still holds. SENDING grants
 * leases within rate, in-flight cap and tokens (`grant-lease.ts`, with its invariants). Every message
 * may arrive twice: leases are the same for the same request id, reports count once per sequence.
 */
import { answerAcquire } from './acquire.ts'
import { advance, endLeases } from './advance.ts'
import { leaseId } from './lease-id.ts'
import type { LimiterState } from './limiter-state.ts'
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
      const heard = readReports(now, event.request.reports, random)
      const { state: next, reply } = answerAcquire(heard, event.request)
      return { state: next, replies: [reply] }
    }
    case 'release':
      return silent(release(readReports(now, event.request.reports, random), event.request))
    case 'refused':
      return silent(refuse(now, event.notice, random))
    case 'restored':
      return silent(restore(now, event.saved, nowMs))
    case 'pause':
      return silent({ ...now, pausedBecause: event.request.reason })
    case 'resume':
      return silent({ ...now, pausedBecause: null })
    case 'tick':
    default:
      return silent(now)
  }
}

function silent(state: LimiterState): StepResult {
  return { state, replies: [] }
}

/** What the worker has on its way still counts after it wants nothing any more. */
function release(state: LimiterState, request: ReleaseRequest): LimiterState {
  const ended = endLeases(state, request.worker, ({ number }) =>
    request.leaseIds.includes(leaseId(state.idPrefix, number)),
  )
  const { [request.worker]: worker, ...others } = ended.workers
  if (worker === undefined || worker.leases.length > 0) return ended
  if (request.inFlight === 0) return { ...ended, workers: others }
  const left = { ...worker, wants: [], cap: 0, capBefore: 0, inFlight: request.inFlight }
  return { ...ended, workers: { ...others, [request.worker]: left } }
}

/** The saved memory under the present policy; who has asked meanwhile is not forgotten. */
function restore(state: LimiterState, saved: LimiterState | null, nowMs: number): LimiterState {
  if (state.restored) return state
  if (saved === null) return { ...state, restored: true }
  const aged = advance({ ...saved, policy: state.policy, stepVersion: state.stepVersion }, nowMs)
  const workers = Object.fromEntries(
    Object.entries(state.workers).map(([name, worker]) => [
      name,
      {
        ...worker,
        leases: aged.workers[name]?.leases ?? [],
        grantedTo: aged.workers[name]?.grantedTo ?? '',
        servedMs: aged.workers[name]?.servedMs ?? -1,
        cap: aged.workers[name]?.cap ?? 0,
        goneMs: worker.goneMs - state.clockMs + aged.clockMs,
      },
    ]),
  )
  return {
    ...aged,
    restored: true,
    leasesGranted: aged.leasesGranted + ID_LEAP,
    pausedBecause: state.pausedBecause ?? aged.pausedBecause,
    workers: { ...aged.workers, ...workers },
  }
}
