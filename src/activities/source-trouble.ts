/** What a failed request to a source means for the page or item it was about. */
import type { ExtractRun } from '../db/extract-runs.repo.ts'
import { OutsideCallError } from '../errors.ts'
import type { SourceClient } from '../http/extract/source-client.ts'
import {
  afterOutsideError,
  backOffMs,
  domainUnavailable,
  isGivenUp,
  type OutsideCallDeps,
} from './outside-call.ts'
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

/** What was asked, and of whom. */
export interface SourceQuestion {
  readonly source: SourceClient
  readonly run: ExtractRun
  /** Failed ones before this. */
  readonly attempts: number
}

/** @throws what the workflow is told where it is not the question's fault: to wait, or that the run stands still. */
export function sourceTrouble(
  deps: Omit<OutsideCallDeps, 'db'>,
  error: unknown,
  { source, run, attempts: before }: SourceQuestion,
): SourceTrouble {
  if (!(error instanceof OutsideCallError)) throw error
  const { code, kind, status = 0 } = error
  const isTooMuch = status >= 500 || TOO_MUCH.has(code)
  const trouble = { code, message: withHint(error), isTooMuch }
  if (kind === 'permanent' || (kind === 'endpoint' && OF_THIS_PATH.has(code))) {
    return { ...trouble, retryInMs: null }
  }
  if (isGivenUp(deps, source, run, error)) return { ...domainUnavailable(error), isTooMuch: false }
  if (kind !== 'transient') throw afterOutsideError(deps, error)
  const attempts = before + 1
  const isOver = attempts >= run.options.maxAttempts
  const { baseUrl: url } = run.profile
  return { ...trouble, retryInMs: isOver ? null : backOffMs(deps, { url }, attempts) }
}
