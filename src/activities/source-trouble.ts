/** What a failed request to a source means for the page or item it was about. */
import type { RequestBooks } from '../core/limiter/permit.ts'
import { OutsideCallError } from '../errors.ts'
import { afterOutsideError, backOffMs } from './outside-call.ts'
import { withHint } from './to-failure.ts'

/** The source answers others so, or other questions: the rest of the run goes on. */
const OF_THIS_PATH = new Set([
  'forbidden',
  'not_found',
  'gone',
  'legally_blocked',
  'method_not_allowed',
  'not_acceptable',
  'not_implemented',
])

/** A server that breaks down over a page may serve a smaller one. */
const TOO_MUCH = new Set(['headers_timeout', 'body_timeout', 'total_timeout', 'body_too_large'])

export interface SourceTrouble {
  readonly code: string
  readonly message: string
  /** null: it is not asked again. */
  readonly retryInMs: number | null
  readonly isTooMuch: boolean
}

/**
 * @param attempts failed ones before this
 * @throws what the workflow is told where it is not the question's fault: to wait, or that the run stands still.
 */
export function sourceTrouble(
  deps: { readonly books: Pick<RequestBooks, 'takeRetry'>; readonly random: () => number },
  error: unknown,
  question: { readonly url: string; readonly attempts: number; readonly maxAttempts: number },
): SourceTrouble {
  if (!(error instanceof OutsideCallError)) throw error
  const { code, kind, status = 0 } = error
  const isTooMuch = status >= 500 || TOO_MUCH.has(code)
  const trouble = { code, message: withHint(error), isTooMuch }
  if (kind === 'permanent' || (kind === 'endpoint' && OF_THIS_PATH.has(code))) {
    return { ...trouble, retryInMs: null }
  }
  if (kind !== 'transient') throw afterOutsideError(deps, error)
  const attempts = question.attempts + 1
  const isOver = attempts >= question.maxAttempts
  return { ...trouble, retryInMs: isOver ? null : backOffMs(deps, question, attempts) }
}
