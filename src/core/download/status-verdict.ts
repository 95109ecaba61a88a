/** What the status of an answer means for a transfer. Pure. */
import type { ArtifactPlan } from './artifact-plan.ts'
import { failureKind, type FailureKind, type FailureReason } from './failure-reason.ts'

export type StatusVerdict =
  | { readonly kind: 'body' | 'partial' | 'range-refused' | 'not-modified' | 'redirect' }
  | { readonly kind: 'failure'; readonly reason: FailureReason; readonly as: FailureKind }

interface Asked {
  /** With a Range header. */
  readonly range: boolean
  /** With If-None-Match or If-Modified-Since. */
  readonly conditional: boolean
  /** The answer names a time to wait. */
  readonly retryAfter: boolean
  readonly statusKinds?: ArtifactPlan['statusKinds']
}

const redirects = new Set([301, 302, 303, 307, 308])

const named: Readonly<Record<number, FailureReason>> = {
  400: 'bad-request',
  401: 'unauthorised',
  403: 'forbidden',
  404: 'not-found',
  408: 'request-timeout',
  410: 'gone',
  416: 'range-refused',
  425: 'request-timeout',
  429: 'throttled',
  451: 'legal-reasons',
}

/** 2xx that bring no file, and what is neither an answer nor an error, count as empty. */
export function statusVerdict(status: number, asked: Asked): StatusVerdict {
  if (status === 206) return asked.range ? { kind: 'partial' } : failure('unexpected-partial')
  if (status === 416 && asked.range) return { kind: 'range-refused' }
  if (status === 304) {
    return asked.conditional ? { kind: 'not-modified' } : failure('unexpected-not-modified')
  }
  if (status === 204 || status === 205) return failure('empty')
  if (status >= 200 && status < 300) return { kind: 'body' }
  if (redirects.has(status)) return { kind: 'redirect' }
  const reason = reasonOf(status, asked)
  return failure(reason, asked.statusKinds?.[status])
}

function reasonOf(status: number, { retryAfter }: Asked): FailureReason {
  if (status === 503 && retryAfter) return 'throttled'
  const reason = named[status]
  if (reason !== undefined) return reason
  if (status >= 500) return 'server-error'
  return status >= 400 ? 'client-error' : 'bad-redirect'
}

function failure(reason: FailureReason, as: FailureKind = failureKind(reason)): StatusVerdict {
  return { kind: 'failure', reason, as }
}
