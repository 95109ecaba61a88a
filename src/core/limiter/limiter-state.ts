/**
 * Everything a limiter remembers: plain JSON, carried over continue-as-new and saved when idle. Under 8 KB with sixteen
 * busy processes, of which up to three hold leases; 8.5 KB where these pay by cost (300 requests a second), as each
 * lease then carries its price; 13 KB where all sixteen hold leases, above 1,500 requests a second.
 *
 * Instants are ms of the limiter's own clock, which only ever moves forward (`advance.ts`).
 */
import { closedBreaker, type Breaker } from './circuit-breaker.ts'
import { startControl, type Control } from './control.ts'
import { emptyWindow, type ErrorWindow } from './error-window.ts'
import { noLatency, type Latency } from './latency.ts'
import { leaseIdPrefix } from './lease-id.ts'
import type { DomainPolicy } from './policy.ts'
import type { Priority } from './protocol.ts'
import type { Ceiling } from './published-ceiling.ts'

/** Version of `step` and of this state's shape. A run keeps the version it started with. */
export const STEP_VERSION = 4

export interface Lease {
  /** Its id is the limiter's prefix and this number (`lease-id.ts`). */
  readonly number: number
  readonly epoch: number
  readonly permits: number
  /** The domain's rate when it was granted; its own may be a part of it. */
  readonly domainRps: number
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
  /** Cost units a permit of it was charged; absent where requests cost nothing but a permit. */
  readonly permitCost?: number
  /** How its permits are divided; absent when all are for the one project that is wanted. */
  readonly shares?: readonly Share[]
}

/** Permits of a lease that are for a project; the priority `normal` is left out. */
export type Share = readonly [project: string, permits: number, priority?: Priority]

/**
 * A lease nobody may spend any more, remembered so that a late report of it counts once; `left` permits
 * of it were not reported yet. A tuple, like `Want`, since these are most of the state.
 */
export type EndedLease = readonly [
  number: number,
  sequence: number,
  left: number,
  domainRps: number,
  startMs: number,
  lengthMs: number,
  permitCost?: number,
]

interface PastLease {
  readonly number: number
  readonly sequence: number
  readonly domainRps: number
  readonly startMs: number
  readonly endMs: number
  readonly permitCost?: number | undefined
}

/** @param left Permits of it nobody has reported yet. */
export function endedLease(lease: PastLease, left: number): EndedLease {
  const { number, sequence, domainRps, startMs, endMs, permitCost } = lease
  const [fromMs, lengthMs] = [tenths(startMs), tenths(endMs - startMs)]
  return permitCost === undefined
    ? [number, sequence, left, domainRps, fromMs, lengthMs]
    : [number, sequence, left, domainRps, fromMs, lengthMs, permitCost]
}

/** Of a lease that is over, an instant need not be known better. */
function tenths(ms: number): number {
  return Math.round(ms * 10) / 10
}

/** Permits a worker wants for a project; weight 1 and priority `normal` are left out. */
export type Want = readonly [project: string, permits: number, weight?: number, priority?: Priority]

export interface WorkerRecord {
  readonly wants: readonly Want[]
  /** In the order they were granted; one begins where the last one ends, or later. */
  readonly leases: readonly Lease[]
  /** How it was served last; null before the first lease, and when that matters no more. */
  readonly served: Served | null
  readonly inFlight: number
  /** What it got, in permits over its fair part, beyond what the worst served one got. */
  readonly lead: number
  /** Its last request got all that it wanted; absent when it did not. */
  readonly isServed?: true
  /** Forgotten from then on unless it holds a lease or asks again. */
  readonly goneMs: number
}

/** Of sixteen workers most only wait, so what matters for a lease is kept apart. */
export interface Served {
  /** When the last lease was granted. */
  readonly atMs: number
  /** Request that brought it, without the worker's name. */
  readonly requestId: string
  /** Permits of the present turn. */
  readonly turn: number
  /** Cap of the last reply. */
  readonly cap: number
  /** Cap of the reply before, until the worker's next request shows that it knows the last one. */
  readonly capBefore: number
  /** A process not heard of until then has nothing on its way beyond what it said last. */
  readonly capUntilMs: number
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
  readonly epoch: number
  /** Events (refusals of a current epoch) without an accepted request between them. */
  readonly streak: number
  /** When the first of them was refused. */
  readonly shutSinceMs: number
  /** Nobody sends before it. */
  readonly pauseUntilMs: number
  /** Sending began anew then, at half rate for a slot; long ago at first. */
  readonly resumedMs: number
  /** One permit at a time, the next not before this; null when leases are whole ones. */
  readonly trickleMs: number | null
  /** No lease begins before: a server that has just refused has nothing in hand for requests that clump. */
  readonly quietUntilMs: number
  readonly pausedBecause: string | null
  readonly control: Control
  readonly breaker: Breaker
  readonly window: ErrorWindow
  readonly latency: Latency
  /** Since when answers take twice as long as usual, and when that last cost rate; null when they do not. */
  readonly slowSinceMs: number | null
  readonly brakedMs: number
  readonly ceiling: Ceiling | null
  /** Cost units left, and what a request costs on average; only used with `costPerSecond`. */
  readonly budget: number
  readonly averageCost: number
  /** Makes lease ids unique over lost state. */
  readonly idPrefix: string
  readonly leasesGranted: number
  readonly workers: Readonly<Record<string, WorkerRecord>>
  /** Parts of a permit that rounding owes to projects, by `claimKey`; negative where it gave too much. */
  readonly owed: Readonly<Record<string, number>>
  readonly ended: readonly EndedLease[]
  readonly totals: Totals
  readonly failuresInARow: number
}

/** Counted since the limiter first started. */
export interface Totals {
  readonly sent: number
  readonly refused: number
  readonly denied: number
  readonly waited: number
  readonly retries: number
}

/** Before any instant of the limiter's own clock; −Infinity is not JSON. */
export const LONG_AGO_MS = -1e9
/** A worker whose leases have ended may ask so much later than it was told to before it is forgotten. */
export const KEPT_MS = 4_250

export function initialState(domain: string, policy: DomainPolicy, nowMs: number): LimiterState {
  return {
    stepVersion: STEP_VERSION,
    domain,
    policy,
    wallMs: nowMs,
    clockMs: 0,
    restored: false,
    epoch: 0,
    pausedBecause: null,
    idPrefix: leaseIdPrefix(nowMs),
    leasesGranted: 0,
    workers: {},
    owed: {},
    ended: [],
    totals: { sent: 0, refused: 0, denied: 0, waited: 0, retries: 0 },
    ...nothingLearned(policy, 0),
  }
}

/** The part of a state that is about the server, as if it had never been asked. */
export function nothingLearned(policy: DomainPolicy, clockMs: number) {
  return {
    streak: 0,
    shutSinceMs: 0,
    pauseUntilMs: 0,
    resumedMs: LONG_AGO_MS,
    trickleMs: null,
    quietUntilMs: 0,
    control: startControl({ policy, nowMs: clockMs, isSlow: false, ceilingRps: null }),
    breaker: closedBreaker(),
    window: emptyWindow(),
    latency: noLatency(),
    slowSinceMs: null,
    brakedMs: LONG_AGO_MS,
    ceiling: null,
    budget: policy.costBurst,
    averageCost: 1,
    failuresInARow: 0,
  }
}

/** How long before the end of a lease its successor is asked for. */
export function leadMs(policy: DomainPolicy): number {
  return policy.slotMs / 2
}

/** Requests per second a lease allows. */
export function leaseRps(lease: Lease): number {
  return (lease.permits * 1000) / (lease.endMs - lease.startMs)
}

/** Permits a worker wants, of all projects. */
export function permitsWanted({ wants }: WorkerRecord): number {
  return wants.reduce((sum, [, permits]) => sum + permits, 0)
}

/** Wants are for a slot, and who wants all of one wants as much of the next: how often a lease so long has room for them. */
export function slotsIn(leaseMs: number, { slotMs }: DomainPolicy): number {
  return Math.max(1, leaseMs / slotMs)
}

/** Everybody but this worker. */
export function othersThan(state: LimiterState, name: string): readonly WorkerRecord[] {
  return Object.entries(state.workers).flatMap(([other, worker]) =>
    other === name ? [] : [worker],
  )
}

/** What a worker may have on its way at most. */
export function workerInFlight({ served, inFlight }: WorkerRecord, nowMs: number): number {
  if (served === null || nowMs >= served.capUntilMs) return inFlight
  return Math.max(served.cap, served.capBefore, inFlight)
}

/** What these may have on their way at most. */
export function inFlightOf(workers: readonly WorkerRecord[], nowMs: number): number {
  return workers.reduce((sum, worker) => sum + workerInFlight(worker, nowMs), 0)
}
