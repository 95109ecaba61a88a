/**
 * What a permit broker and a domain's limiter say to each other (research/limiter.md §3.3).
 * All times are durations in ms: no instant ever crosses a process border, so no clock has to agree.
 */

import type { DomainPolicy, StrategyName } from './policy.ts'

/** No duration in a message is longer (ten years): servers do send `Retry-After: 9999999999`. */
export const LONGEST_DURATION_MS = 315_360_000_000

/** Permits of one project: what a broker wants for it, or its part of a lease. */
export interface ProjectPermits {
  readonly project: string
  readonly permits: number
  /** Default `normal`. */
  readonly priority?: Priority
}

/**
 * Who goes first in a full domain: somebody waits at a screen, a run that is urgent, one as usual, something that can
 * wait.
 * The lower ones always keep a part (`share-rate.ts`).
 */
export type Priority = 'interactive' | 'high' | 'normal' | 'background'

export interface ProjectWant extends ProjectPermits {
  /** Share of a full domain against other projects; above 0, default 1. */
  readonly weight?: number
}

/** A ceiling the server publishes in its headers (IETF RateLimit fields, `X-RateLimit-*`). */
export interface PublishedLimit {
  /** Requests per window; 0 when only what is left is named. */
  readonly quota: number
  /** 0 when only what is left is named. */
  readonly windowMs: number
  readonly remaining?: number
  /** Until `remaining` is filled up again. */
  readonly resetMs?: number
}

/** What became of the permits of one lease since the last report of it; idempotent by (leaseId, sequence). */
export interface LeaseReport {
  readonly leaseId: string
  /** Epoch of the lease: results of an older epoch teach nothing. */
  readonly epoch: number
  /** 1, 2, 3 … per lease; a repeated or older number is ignored. */
  readonly sequence: number
  /** Requests that left this process and ended: the sum of the next six. */
  readonly sent: number
  readonly ok: number
  readonly throttled: number
  /** 5xx without a wait, time-outs. */
  readonly overloaded: number
  /** No connection. */
  readonly failed: number
  /** Answers that say nothing about load. */
  readonly neutral: number
  /** Stopped by us on the way. */
  readonly cancelled: number
  /** Permits that will never be used: handed back, or nobody came in time. */
  readonly unused: number
  /** Cost units spent; equals `sent` where a request costs 1. */
  readonly cost: number
  /** Permits whose callers had waited more than a second for them. */
  readonly waited: number
  /** Requests for what has failed before and lost an attempt by it (`retry-quota.ts`). */
  readonly retries: number
  /** Overloads and failures at the end of this report that no answer follows. */
  readonly failuresInARow: number
  /** Of successes only: errors come back faster than answers. */
  readonly latency: {
    readonly count: number
    readonly meanMs: number
    readonly p95Ms: number
    /** The quickest of them; absent where it is not known. */
    readonly leastMs?: number
  }
  /** How long ago the last refusal of this report was seen; absent without one. */
  readonly throttledAgoMs?: number
  /** The longest wait a server asked for; absent when a refusal named none. */
  readonly retryAfterMs?: number
  /** Of the latest answer that named any; at most four. */
  readonly published?: readonly PublishedLimit[]
  /**
   * Cost units by which projects (`claimKey`) got less than their shares of the lease, below 0 for more:
   * whoever had no caller there gets it later. Adds up to 0; at most 16.
   */
  readonly owed?: readonly (readonly [project: string, cost: number])[]
}

/** Payload of the update `acquire`; it also starts the limiter and carries the reports of what was spent. */
export interface AcquireRequest {
  /** Identity of the worker process. */
  readonly worker: string
  /** Same id on a repeated delivery: the same lease comes back. Also the update's id. */
  readonly requestId: string
  /** Permits wanted for the next slot, each project once; empty to only report. */
  readonly wants: readonly ProjectWant[]
  /** Requests of this process on their way to the domain. */
  readonly inFlight: number
  readonly reports: readonly LeaseReport[]
  /** How long the process's messages and their answers lately took together; absent before the first. */
  readonly roundTripMs?: number
  /**
   * It takes more permits than it wants where nobody misses them, so that it need not ask again before the slot is over;
   * and leaves them unused. Only where the rate was told, not found out, and nobody else asks.
   */
  readonly takesSpare?: boolean
  /** Ask for the limiter's snapshot with the reply. */
  readonly snapshot?: boolean
}

/**
 * The right to send `permits` requests: number i (from 0) at `firstDelayMs + i × spacingMs`, and none at
 * or after `ttlMs`. The broker counts the delay from the reply and the life from the moment it sent the
 * request; the limiter counts the life from the grant and 250 ms more, so the broker always stops first.
 */
export interface LeaseGrant {
  readonly granted: true
  readonly leaseId: string
  readonly epoch: number
  readonly permits: number
  /** How the permits are divided; the broker interleaves them. Unclaimed ones may serve any project. */
  readonly shares: readonly ProjectPermits[]
  readonly spacingMs: number
  readonly firstDelayMs: number
  readonly ttlMs: number
  /** Requests this process may have on their way at once, whatever lease they belong to. */
  readonly inFlightCap: number
  /** Requests per second a process may send when the limiter cannot be reached. */
  readonly safeRate: number
  /** Requests it may have on their way then, where the limiter says so; 1 where it does not. */
  readonly safeInFlight?: number
  /** Longest wait of a server that is obeyed at once, by the policy; a limiter of an older version does not say. */
  readonly retryAfterCapMs?: number
  /** When to ask for the next lease so that sending never pauses. */
  readonly renewAfterMs: number
  /**
   * The last requests of the holder before may just have been refused: ask once more this long after the reply.
   * Absent where nothing is to be feared.
   */
  readonly lookOutMs?: number
  readonly snapshot?: DomainSnapshot
}

export type RefusalReason =
  | 'starting'
  | 'breaker_open'
  | 'retry_after'
  | 'paused'
  | 'trickle'
  | 'in_flight'
  | 'no_tokens'
  | 'nothing_wanted'
  | 'internal_error'

export interface LeaseRefusal {
  readonly granted: false
  readonly reason: RefusalReason
  readonly askAgainMs: number
  /** Nobody may send: what the broker still holds is void, and it hands the permits back. */
  readonly revoked: boolean
  readonly safeRate: number
  readonly safeInFlight?: number
  readonly snapshot?: DomainSnapshot
}

export type AcquireReply = LeaseGrant | LeaseRefusal

/** Payload of the signal `refused` (429 and its like): at most one per 500 ms and process. */
export interface RefusedNotice {
  readonly leaseId: string
  readonly epoch: number
  /** How long before this notice the server refused. */
  readonly agoMs: number
  readonly retryAfterMs: number | null
  /** What was accepted until then; told again with the next `acquire`, and counted once. */
  readonly reports: readonly LeaseReport[]
}

/** Payload of the update `release`: these leases will not be spent further; what they had left is in the reports. */
export interface ReleaseRequest {
  readonly worker: string
  readonly requestId: string
  readonly leaseIds: readonly string[]
  readonly inFlight: number
  readonly reports: readonly LeaseReport[]
  /** Ask for the limiter's snapshot with the reply. */
  readonly snapshot?: boolean
}

export interface ReleaseReply {
  readonly snapshot?: DomainSnapshot
}

/** Payload of the signal `pauseDomain`. */
export interface PauseDomainRequest {
  /** Shown by `limits`. */
  readonly reason: string
}

/** Payload of the signal `setPolicy`: the whole policy, from now on. */
export interface SetPolicyRequest {
  readonly policy: DomainPolicy
}

/**
 * What a limiter shows of itself (query `snapshot`, table `domain_limit`). The first nine are the
 * source document's, under its names.
 */
export interface DomainSnapshot {
  readonly domain: string
  /** Requests per second granted at present. */
  readonly fillRate: number
  /** Permits that could be granted now. */
  readonly tokens: number
  /** Moving average of successes, ms; null before the first. */
  readonly avgLatency: number | null
  /** Of the last 64 successes, ms; null before the first. */
  readonly p95Latency: number | null
  /** Failed and refused part of the requests of the last 30 s, 0 to 1. */
  readonly errorRate: number
  /** Of the circuit breaker. */
  readonly state: 'closed' | 'open' | 'half_open'
  readonly consecutiveFails: number
  /** Nothing is sent before this many ms from the snapshot; 0 when sending. */
  readonly nextEarliest: number

  readonly strategy: StrategyName
  /** What the strategy is doing (`search`, `hold`, `probe` …). */
  readonly mode: string
  readonly inFlight: number
  /** Requests on their way at once, of all processes. */
  readonly inFlightCap: number
  /** Permits wanted by processes that hold no lease. */
  readonly waiting: number
  readonly totalRequests: number
  /** Requests whose callers had waited more than a second for their permit. */
  readonly throttledRequests: number
  /** Asks turned down because nobody may send. */
  readonly denied: number
  readonly retries: number
  /** Requests the server refused (429 and its like). */
  readonly refusedRequests: number
  /** Why nobody may send; null when sending. */
  readonly hold: RefusalReason | null
  /** How long the wait a server asked for still lasts, when that is more than an hour; else null. */
  readonly parkedForMs: number | null
  /** Given with a pause by hand. */
  readonly pausedBecause: string | null
  readonly workers: number
}
