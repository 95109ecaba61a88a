/** What an answer is found to mean, and the words for it. */
import type { CallOutcome } from '../../core/limiter/permit.ts'
import type { ResponseHeaders } from '../../core/retry-after.ts'
import type { OutsideErrorKind } from '../../errors.ts'

export interface ReceivedResponse {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly bodyText: string
}

/** What is wrong with an answer, for the caller. */
export interface ResponseFault {
  readonly kind: OutsideErrorKind
  readonly code: string
  readonly hint?: string
}

export interface AnswerReading {
  /** For the limiter. */
  readonly outcome: CallOutcome['kind']
  /** Null for an answer the caller can read. */
  readonly fault: ResponseFault | null
  /** What to wait where the headers name no wait, ms. */
  readonly waitMs?: number
  /** What to wait whatever the headers name, ms. */
  readonly leastWaitMs?: number
}

export const usable: AnswerReading = { outcome: 'ok', fault: null }

/** The server asks us to slow down. */
export function throttled(code: string, waitMs?: number): AnswerReading {
  const reading: AnswerReading = { outcome: 'throttled', fault: { kind: 'throttled', code } }
  return waitMs === undefined ? reading : { ...reading, waitMs }
}

/** The server is in trouble; the breaker counts it. */
export function overload(code: string): AnswerReading {
  return { outcome: 'overload', fault: { kind: 'transient', code } }
}

/** Worth another try, and no sign of load. */
export function transient(code: string): AnswerReading {
  return { outcome: 'neutral', fault: { kind: 'transient', code } }
}

/** This question will never be answered. */
export function permanent(code: string): AnswerReading {
  return { outcome: 'neutral', fault: { kind: 'permanent', code } }
}

/** Nobody of this run will be answered until a person has looked at it. */
export function endpoint(code: string, hint: string): AnswerReading {
  return { outcome: 'neutral', fault: { kind: 'endpoint', code, hint } }
}
