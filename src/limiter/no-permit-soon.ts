import { durationText } from '../core/work-rate.ts'
import { OutsideCallError } from '../errors.ts'
import type { DomainStatus } from './domain-status.ts'

/**
 * A caller was turned away: its request was never sent, and costs it no attempt.
 * @param retryAfterMs When it is to ask again.
 * @param expectedMs When it can expect a permit, as far as is known.
 */
export function noPermitSoon(
  domain: string,
  hold: DomainStatus['hold'],
  retryAfterMs: number,
  expectedMs: number,
): OutsideCallError {
  return new OutsideCallError({
    code: 'no_permit_soon',
    kind: 'throttled',
    message: `No request to ${domain} is due within 2 s (${reasonOf(hold)}); expected in about ${durationText(expectedMs)}.`,
    hint: `Nothing to do: it is asked again by itself. See \`record-linker limits ${domain}\`.`,
    retryAfterMs,
  })
}

function reasonOf(hold: DomainStatus['hold']): string {
  switch (hold) {
    case 'retry_after':
      return 'the server asked us to wait'
    case 'paused':
      return 'paused by hand'
    case 'breaker_open':
      return 'the server is failing'
    case 'limiter_silent':
      return 'the limiter cannot be reached'
    default:
      return 'others are before it in the queue'
  }
}
