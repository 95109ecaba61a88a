/** What an answer means, for the limiter and for the caller. */
import type { CallOutcome } from '../core/limiter/permit.ts'
import { longestWaitMs, rateLimitResetMs, retryAfterMs, serverNowMs } from '../core/retry-after.ts'
import type { ReceivedResponse, ResponseFault } from './classifiers/answer-reading.ts'
import type { DomainClassifier } from './classifiers/domain-classifier.ts'
import { exhaustedForMs, publishedLimits } from './published-limits.ts'

export interface ResponseVerdict {
  /** For the limiter, without its cost. */
  readonly outcome: CallOutcome
  /** Null for a usable answer. */
  readonly fault: ResponseFault | null
}

/**
 * @param latencyMs From sending to the end of the body.
 * @param nowMs Our clock, for where the response has no Date header.
 */
export function classifyResponse(
  classifier: DomainClassifier,
  response: ReceivedResponse,
  latencyMs: number,
  nowMs: number,
): ResponseVerdict {
  const { headers, status } = response
  const reading = classifier.read(response, serverNowMs(headers, nowMs))
  const published = publishedLimits(headers, nowMs)
  const asked = retryAfterMs(headers, nowMs)
  // A batch that is too big (413) stays that, but a wait asked with it holds for the whole domain.
  const slowed = reading.outcome === 'throttled' || (status === 413 && asked !== undefined)
  const untilReset = rateLimitResetMs(headers, nowMs) ?? exhaustedForMs(published)
  const wait = asked ?? (slowed ? (untilReset ?? reading.waitMs) : undefined)
  const waitMs = Math.min(longestWaitMs, Math.max(wait ?? 0, reading.leastWaitMs ?? 0))
  return {
    outcome: {
      kind: slowed ? 'throttled' : reading.outcome,
      latencyMs,
      retryAfterMs: reading.fault === null || waitMs === 0 ? undefined : waitMs,
      published,
    },
    fault: reading.fault,
  }
}
