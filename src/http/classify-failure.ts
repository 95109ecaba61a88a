/**
 * What it means that no answer came (DESIGN §3). `unreachable` is said only where the request cannot have
 * arrived, so that an offline laptop costs no record an attempt.
 */
import type { CallOutcome } from '../core/limiter/permit.ts'
import type { OutsideErrorKind } from '../errors.ts'

export interface FailureVerdict {
  /** For the limiter. */
  readonly outcome: CallOutcome['kind']
  readonly kind: OutsideErrorKind
  readonly code: string
  /** Completes "<address> …". */
  readonly text: string
  readonly hint?: string
}

const offline = (code: string, text: string): FailureVerdict => ({
  outcome: 'failed',
  kind: 'unreachable',
  code,
  text,
})
const late = (code: string, text: string): FailureVerdict => ({
  outcome: 'overload',
  kind: 'transient',
  code,
  text,
})
const noRoute = offline('no_route', 'has no route from here')
const reset = { ...late('connection_reset', 'closed the connection'), outcome: 'failed' } as const
const badBody: FailureVerdict = {
  outcome: 'neutral',
  kind: 'transient',
  code: 'bad_encoding',
  text: 'sent a body that cannot be decompressed',
}
const tooLarge: FailureVerdict = {
  outcome: 'neutral',
  kind: 'permanent',
  code: 'body_too_large',
  text: 'sent a longer body than allowed',
}
const badCertificate: FailureVerdict = {
  outcome: 'failed',
  kind: 'endpoint',
  code: 'bad_certificate',
  text: 'has a certificate that cannot be trusted',
  hint: 'Check the address; a sign-in page of the network you are in can be the cause too.',
}

const byErrorCode: Readonly<Record<string, FailureVerdict>> = {
  ECONNREFUSED: offline('connection_refused', 'refused the connection'),
  ENOTFOUND: offline('dns_failed', 'is not known to DNS'),
  EAI_AGAIN: offline('dns_failed', 'could not be looked up in DNS'),
  EHOSTUNREACH: noRoute,
  ENETUNREACH: noRoute,
  ENETDOWN: noRoute,
  EHOSTDOWN: noRoute,
  EADDRNOTAVAIL: noRoute,
  ETIMEDOUT: offline('connect_timeout', 'did not accept a connection in time'),
  UND_ERR_CONNECT_TIMEOUT: offline('connect_timeout', 'did not accept a connection in time'),
  UND_ERR_HEADERS_TIMEOUT: late('headers_timeout', 'did not begin to answer in time'),
  UND_ERR_BODY_TIMEOUT: late('body_timeout', 'stopped in the middle of its answer'),
  total_timeout: late('total_timeout', 'did not finish its answer in time'),
  UND_ERR_SOCKET: reset,
  ECONNRESET: reset,
  EPIPE: reset,
  body_too_large: tooLarge,
  bad_encoding: badBody,
}

/**
 * @param error What undici, zlib or we threw; an AggregateError (one address after the other tried) counts
 *   as its first member.
 */
export function classifyFailure(error: unknown): FailureVerdict {
  const code = errorCode(error)
  if (Object.hasOwn(byErrorCode, code)) return byErrorCode[code] ?? reset
  if (/CERT|SELF_SIGNED|UNABLE_TO_|WRONG_VERSION/.test(code)) return badCertificate
  if (code.startsWith('HPE_') || code.startsWith('UND_ERR_')) {
    return { ...badBody, code: 'malformed_http', text: 'did not speak proper HTTP' }
  }
  return { ...reset, code: 'connection_failed', text: 'could not be talked to' }
}

/** The process slept while a request was out: its failure says nothing about the server. */
export const suspended: FailureVerdict = {
  ...offline(
    'suspended',
    'was being asked while this process was suspended; that failure does not count',
  ),
  outcome: 'cancelled',
}

/** Slack for a busy event loop and for clocks being set, ms. */
const clockSlackMs = 5_000

/**
 * A laptop lid was closed, or the process stopped, during the request: the wall clock ran ahead of the
 * monotonic one (Linux stops it in sleep), or more time went by than the total timeout can allow.
 */
export function wasSuspended(elapsed: {
  readonly wallMs: number
  readonly monotonicMs: number
  readonly totalTimeoutMs: number
}): boolean {
  const longest = Math.max(elapsed.wallMs, elapsed.monotonicMs)
  return (
    elapsed.wallMs - elapsed.monotonicMs > clockSlackMs ||
    longest > elapsed.totalTimeoutMs + clockSlackMs
  )
}

function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return error instanceof AggregateError ? errorCode(error.errors[0]) : ''
}
