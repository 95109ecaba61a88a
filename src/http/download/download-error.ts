import {
  failureKind,
  type FailureKind,
  type FailureReason,
} from '../../core/download/failure-reason.ts'
import { RecordLinkerError } from '../../errors.ts'

export interface DownloadErrorFacts {
  readonly reason: FailureReason
  /** Found and expected; without query, user information and headers. */
  readonly message: string
  /** Where it is not the reason's usual one. */
  readonly kind?: FailureKind | undefined
  readonly hint?: string | undefined
  readonly cause?: unknown
  readonly status?: number | undefined
  /** How long the host asked us to wait, ms. */
  readonly retryAfterMs?: number | undefined
  /** The wait is beyond what an attempt waits for. */
  readonly parks?: boolean | undefined
  /** Begin of a body that is not what was expected, at most 2 KB. */
  readonly excerpt?: string | undefined
}

/** An artifact was not fetched, and nothing of it is left on the disk. */
export class DownloadError extends RecordLinkerError {
  readonly kind: FailureKind
  readonly reason: FailureReason
  readonly status: number | undefined
  readonly retryAfterMs: number | undefined
  readonly parks: boolean
  readonly excerpt: string | undefined

  constructor(facts: DownloadErrorFacts) {
    super({
      code: facts.reason.replaceAll('-', '_'),
      message: facts.message,
      hint: facts.hint,
      cause: facts.cause,
    })
    this.reason = facts.reason
    this.kind = facts.kind ?? failureKind(facts.reason)
    this.status = facts.status
    this.retryAfterMs = facts.retryAfterMs
    this.parks = facts.parks ?? false
    this.excerpt = facts.excerpt
  }
}
