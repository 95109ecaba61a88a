import type { FailureKind, FailureReason } from '../../core/download/failure-reason.ts'

/** What is told of each request that left this machine, each redirect hop and resume included. */
export interface DownloadExchange {
  /** The limiter's key of the host that was asked. */
  readonly domain: string
  readonly method: 'GET' | 'HEAD'
  /** For people: without query, and without the path that a redirect led to. */
  readonly url: string
  /** Null when no answer came. */
  readonly status: number | null
  /** From sending to the end of the body. */
  readonly latencyMs: number
  /** Waited before for its permit. */
  readonly permitMs: number
  readonly wireBytes: number
  readonly kind: 'ok' | 'redirect' | 'cancelled' | FailureKind
  /** Null for `ok`, `redirect` and `cancelled`. */
  readonly reason: FailureReason | null
  /** First byte that was asked for; 0: the whole. */
  readonly offset: number
}
