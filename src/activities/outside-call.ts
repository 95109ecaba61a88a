/** What an activity does about a call to somebody else's server, however it ended. */
import { afterFailure, silentMs } from '../core/domain-silence.ts'
import { domainKey } from '../core/domain-key.ts'
import type { RequestBooks } from '../core/limiter/permit.ts'
import { retryDelayMs } from '../core/retry-delay.ts'
import type { RunOptions } from '../core/run.ts'
import type { Db } from '../db/connect.ts'
import { OutsideCallError } from '../errors.ts'
import type { KnownService } from './known-service.ts'
import { outsideWaitFailure, pausedFailure, withHint } from './to-failure.ts'

export interface OutsideCallDeps {
  readonly db: Db
  readonly books: Pick<RequestBooks, 'takeRetry'>
  /** Wall clock, ms since the epoch; for `giveUpAfterMs` only. */
  readonly nowMs: () => number
  /** Uniform in [0, 1). */
  readonly random: () => number
}

/** How long until a question is asked again that has failed so often, ms. */
export function backOffMs(
  { books, random }: Pick<OutsideCallDeps, 'books' | 'random'>,
  { url }: Pick<KnownService, 'url'>,
  attempts: number,
): number {
  const onceMs = retryDelayMs(attempts, random())
  return books.takeRetry(domainKey(url)) ? onceMs : onceMs + retryDelayMs(attempts, random())
}

/** What the workflow is told: to wait, costing nothing; or that the service turned the run away. */
export function afterOutsideError(
  { random }: Pick<OutsideCallDeps, 'random'>,
  error: unknown,
): unknown {
  if (!(error instanceof OutsideCallError)) return error
  if (error.kind === 'endpoint') return pausedFailure(`${error.code}: ${withHint(error)}`)
  return outsideWaitFailure(error, random())
}

/** Says nothing of the domain: our own queue, our own end, an address that was not asked, a machine that was asleep. */
const NOT_OF_THE_DOMAIN = new Set([
  'no_permit_soon',
  'worker_stopping',
  'redirect_later',
  'suspended',
])

/** The domain has answered nobody for longer than the run's `giveUpAfterMs` while it was asked. */
export function isGivenUp(
  { nowMs }: Pick<OutsideCallDeps, 'nowMs'>,
  known: Pick<KnownService, 'silence'>,
  run: { readonly options: Pick<RunOptions, 'giveUpAfterMs'> },
  error: unknown,
): boolean {
  if (!(error instanceof OutsideCallError) || NOT_OF_THE_DOMAIN.has(error.code)) return false
  if (error.kind !== 'throttled' && error.kind !== 'unreachable') return false
  known.silence = afterFailure(known.silence, nowMs())
  return silentMs(known.silence) > run.options.giveUpAfterMs
}

/** Of a question that is not asked again because its domain has answered nobody. */
export const DOMAIN_UNAVAILABLE = 'domain_unavailable'

/** What becomes of a question to a domain that was given up, in the words of its record. */
export function domainUnavailable(error: OutsideCallError) {
  return {
    kind: error.kind,
    code: DOMAIN_UNAVAILABLE,
    message: `The service has not answered for too long; last: ${error.message}`,
    retryInMs: null,
  }
}
