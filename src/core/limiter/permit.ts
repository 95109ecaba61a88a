/** The right to send one request to a domain, as the HTTP layer sees it. */
import type { Priority, PublishedLimit } from './protocol.ts'

/** How a permitted request ended; only the limiter's brain decides what follows from it. */
export interface CallOutcome {
  /**
   * `ok` an answer; `throttled` the server asked us to slow down (429, 503 with Retry-After, maxlag);
   * `overload` 5xx or timeout; `failed` no connection; `neutral` an answer that says nothing about load
   * (4xx, parse error); `cancelled` we stopped it ourselves.
   */
  readonly kind: 'ok' | 'throttled' | 'overload' | 'failed' | 'neutral' | 'cancelled'
  /** From sending to the end of the body, ms. */
  readonly latencyMs?: number | undefined
  /** What the server asked for, ms. */
  readonly retryAfterMs?: number | undefined
  /** What it cost where the server meters something else than requests (processing seconds). Default 1. */
  readonly cost?: number | undefined
  /** Limits the server names in its headers; at most four, none from a cached answer. */
  readonly published?: readonly PublishedLimit[] | undefined
}

/** One permit. Exactly one of its methods is called, once. */
export interface Permit {
  readonly domain: string
  /** The request was sent and ended so. */
  report(outcome: CallOutcome): void
  /** The request was never sent; the permit can be used by somebody else. */
  giveBack(): void
}

export interface PermitRequest {
  /** Limiter key: normalised host plus non-default port (`domainKey`). */
  readonly domain: string
  /** Whose request it is, for fairness between projects. */
  readonly project: string
  /** Default `normal`. */
  readonly priority?: Priority | undefined
  /** Share of a full domain against other projects of the same priority; above 0, at most 1,000. Default 1. */
  readonly weight?: number | undefined
  /** Which try of the same question this is, from 1 (the default); more than one is counted as a retry. */
  readonly attempt?: number | undefined
  /** Aborting stops the wait and rejects with the signal's reason. */
  readonly signal: AbortSignal
}

/** Where permits come from. */
export interface Permits {
  /**
   * Waits at most about two seconds.
   * @throws OutsideCallError kind `throttled`, code `no_permit_soon`, with `retryAfterMs` when none is near.
   */
  acquire(request: PermitRequest): Promise<Permit>
}

/** What is known of the requests of this process, beyond single permits. */
export interface RequestBooks {
  /**
   * A request failed because its server was in trouble, and is to be repeated after a back-off.
   * @param domain Limiter key.
   * @returns false: the domain's retry quota is spent, so it has to wait one more back-off.
   */
  takeRetry(domain: string): boolean
  /**
   * Tells the limiters what they do not know yet, so that `limits` shows every request that has ended; gives up
   * after a second, since what is not told now is told later.
   */
  settle(): Promise<void>
}
