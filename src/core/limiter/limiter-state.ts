/**
 * Everything a limiter remembers: plain JSON, under 8 KB, carried over continue-as-new and saved when idle.
 *
 * Instants are ms of the limiter's own clock, which only ever moves forward (`advance.ts`).
 */
import { leaseIdPrefix } from './lease-id.ts'
import type { DomainPolicy } from './policy.ts'

/** Version of `step` and of this state's shape. A run keeps the version it started with. */
export const STEP_VERSION = 1

export interface Lease {
  /** Its id is the limiter's prefix and this number (`lease-id.ts`). */
  readonly number: number
  readonly epoch: number
  readonly permits: number
  /** When the first permit may be used. */
  readonly startMs: number
  /** One spacing after the last permit; the rate of the lease is permits / (endMs − startMs). */
  readonly endMs: number
  /** The broker has stopped 250 ms earlier. */
  readonly expiresMs: number
  /** Permits reported as sent or unused. */
  readonly settled: number
  /** Of the last report that counted. */
  readonly sequence: number
}

/**
 * A lease nobody may spend any more, remembered so that a late report of it counts once; `left` permits
 * of it were not reported yet. A tuple, like `Want`, since these are most of the state.
 */
export type EndedLease = readonly [number: number, sequence: number, left: number]

/** Permits a worker wants for a project. */
export type Want = readonly [project: string, permits: number, weight: number]

export interface WorkerRecord {
  readonly wants: readonly Want[]
  /** In the order they were granted. */
  readonly leases: readonly Lease[]
  /** Request that brought the last of them. */
  readonly grantedTo: string
  readonly inFlight: number
  /** Cap of the last reply. */
  readonly cap: number
  /** Cap of the reply before, until the worker's next request shows that it knows the last one. */
  readonly capBefore: number
  /** When its last lease was granted; −1 before the first. */
  readonly servedMs: number
  /** Forgotten from then on unless it holds a lease or asks again. */
  readonly goneMs: number
}

export interface LimiterState {
  readonly stepVersion: number
  readonly domain: string
  readonly policy: DomainPolicy
  /** The last `nowMs` seen and where the limiter's own clock stood then. */
  readonly wallMs: number
  readonly clockMs: number
  /** False until the saved state was loaded, or could not be: nothing is granted before. */
  readonly restored: boolean
  readonly tokens: number
  readonly epoch: number
  /** Refusals without a success between them. */
  readonly streak: number
  /** Nobody sends before it; the slot after it runs at half rate. */
  readonly pauseUntilMs: number
  /** What the server asked for when that was more than the policy's cap, else 0: such a domain is parked. */
  readonly parkedMs: number
  readonly pausedBecause: string | null
  /** Earliest start of a lease that continues no other: keeps newcomers one spacing apart. */
  readonly freshStartMs: number
  /** Makes lease ids unique over lost state. */
  readonly idPrefix: string
  readonly leasesGranted: number
  readonly workers: Readonly<Record<string, WorkerRecord>>
  readonly ended: readonly EndedLease[]
  readonly totals: { readonly sent: number; readonly throttled: number; readonly denied: number }
  readonly avgLatencyMs: number | null
  readonly failuresInARow: number
}

export function initialState(domain: string, policy: DomainPolicy, nowMs: number): LimiterState {
  return {
    stepVersion: STEP_VERSION,
    domain,
    policy,
    wallMs: nowMs,
    clockMs: 0,
    restored: false,
    tokens: bucketCapacity(fullRate(policy), policy),
    epoch: 0,
    streak: 0,
    pauseUntilMs: 0,
    parkedMs: 0,
    pausedBecause: null,
    freshStartMs: 0,
    idPrefix: leaseIdPrefix(nowMs),
    leasesGranted: 0,
    workers: {},
    ended: [],
    totals: { sent: 0, throttled: 0, denied: 0 },
    avgLatencyMs: null,
    failuresInARow: 0,
  }
}

/** Requests per second the policy allows. */
export function fullRate(policy: DomainPolicy): number {
  return policy.minSpacingMs > 0
    ? Math.min(policy.maxRps, 1000 / policy.minSpacingMs)
    : policy.maxRps
}

/** Requests per second to hand out now: half of the full rate in the slot after a pause. */
export function currentRate(state: LimiterState): number {
  const resuming =
    state.pauseUntilMs > 0 && state.clockMs < state.pauseUntilMs + state.policy.slotMs
  return fullRate(state.policy) / (resuming ? 2 : 1)
}

/** How long before the end of a lease its successor is asked for. */
export function leadMs(policy: DomainPolicy): number {
  return policy.slotMs / 2
}

/** Tokens that can be saved up: a slot, and what is asked for ahead of time. */
export function bucketCapacity(rate: number, policy: DomainPolicy): number {
  return Math.max(1, (rate * (policy.slotMs + leadMs(policy))) / 1000)
}

/** Requests per second a lease allows. */
function leaseRate(lease: Lease): number {
  return (lease.permits * 1000) / (lease.endMs - lease.startMs)
}

/** What a worker may be sending at most: its leases follow one another, so the fastest one. */
export function workerRate(worker: WorkerRecord): number {
  return worker.leases.reduce((rate, lease) => Math.max(rate, leaseRate(lease)), 0)
}

/** What a worker may have on its way at most. */
export function workerInFlight(worker: WorkerRecord): number {
  return Math.max(worker.cap, worker.capBefore, worker.inFlight)
}
