/**
 * What an answer means: the one table of statuses and bodies (DESIGN §3). Success codes lie, so the body is
 * looked at before the status: MediaWiki reports lag with 200, proxies send pages with 200, blocks come as
 * 200, 403 or 429 (research/reconciliation.md §2.4).
 */
import type { CallOutcome } from '../core/limiter/permit.ts'
import { rateLimitResetMs, retryAfterMs, type ResponseHeaders } from '../core/retry-after.ts'
import type { OutsideErrorKind } from '../errors.ts'
import {
  isJsonError,
  looksLikeMarkup,
  mediaWikiErrorCode,
  saysBanned,
  titleSaysSlowDown,
} from './error-body.ts'

export interface ReceivedResponse {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly bodyText: string
}

/** What is wrong with an answer, as {@link classifyResponse} says. */
export interface ResponseFault {
  readonly kind: OutsideErrorKind
  readonly code: string
  readonly hint?: string
}

export interface ResponseVerdict {
  /** For the limiter. */
  readonly outcome: CallOutcome['kind']
  /** The wait the server asked for, ms. */
  readonly retryAfterMs: number | undefined
  /** Null for a usable answer. */
  readonly fault: ResponseFault | null
}

type Rule = ResponseFault & { readonly outcome: CallOutcome['kind'] }

const fixedEndpoint = 'Check the address of the service, then resume the run.'

const throttled = (code: string): Rule => ({ kind: 'throttled', code, outcome: 'throttled' })
const overload = (code: string): Rule => ({ kind: 'transient', code, outcome: 'overload' })
const transient = (code: string): Rule => ({ kind: 'transient', code, outcome: 'neutral' })
const permanent = (code: string): Rule => ({ kind: 'permanent', code, outcome: 'neutral' })
const endpoint = (code: string, hint: string): Rule => ({
  kind: 'endpoint',
  code,
  hint,
  outcome: 'neutral',
})

const byStatus: Readonly<Record<number, Rule>> = {
  400: permanent('bad_request'),
  401: endpoint('unauthorised', 'The service wants credentials, or others than these.'),
  402: endpoint('payment_required', 'The service wants an account that pays.'),
  403: endpoint(
    'forbidden',
    'The service refuses this client: read its terms, check your contact.',
  ),
  404: endpoint('not_found', fixedEndpoint),
  405: endpoint('method_not_allowed', fixedEndpoint),
  406: endpoint('not_acceptable', fixedEndpoint),
  407: endpoint('proxy_credentials', 'A proxy in between wants credentials.'),
  408: overload('request_timeout'),
  410: endpoint('gone', fixedEndpoint),
  413: permanent('too_large'),
  414: permanent('uri_too_long'),
  415: endpoint('unsupported_media_type', fixedEndpoint),
  421: transient('misdirected_request'),
  425: transient('too_early'),
  429: throttled('too_many_requests'),
  451: endpoint('legally_blocked', 'The service may not answer here for legal reasons.'),
  500: overload('server_error'),
  501: endpoint('not_implemented', fixedEndpoint),
  502: overload('bad_gateway'),
  503: overload('service_unavailable'),
  504: overload('gateway_timeout'),
}

/** MediaWiki codes that mean "slower" or "later"; every other code is for the caller to read. */
const byMediaWikiCode: Readonly<Record<string, Rule>> = {
  maxlag: throttled('maxlag'),
  ratelimited: throttled('ratelimited'),
  'concurrency-limit': throttled('concurrency_limit'),
  readonly: overload('readonly'),
}

/** @param nowMs For Retry-After dates without a Date header. */
export function classifyResponse(response: ReceivedResponse, nowMs: number): ResponseVerdict {
  const rule = ruleFor(response)
  const { headers, status } = response
  // A batch that is too big (413) stays that, but a wait asked with it holds for the whole domain.
  const asked = retryAfterMs(headers, nowMs)
  const slowed = rule?.outcome === 'throttled' || (status === 413 && asked !== undefined)
  const wait = asked ?? (slowed ? rateLimitResetMs(headers, nowMs) : undefined)
  const fault = rule && {
    kind: rule.kind,
    code: rule.code,
    ...(rule.hint === undefined ? {} : { hint: rule.hint }),
  }
  return {
    outcome: slowed ? 'throttled' : (rule?.outcome ?? 'ok'),
    retryAfterMs: rule ? wait : undefined,
    fault,
  }
}

function ruleFor({ status, headers, bodyText }: ReceivedResponse): Rule | null {
  const success = status >= 200 && status < 300
  if (saysBanned(bodyText) && (status === 403 || status === 429 || looksLikeMarkup(bodyText))) {
    return endpoint('banned', 'The service has shut this client out for a time: wait, then resume.')
  }
  const wikiCode = mediaWikiErrorCode(headers, bodyText)
  if (wikiCode !== undefined && Object.hasOwn(byMediaWikiCode, wikiCode)) {
    return byMediaWikiCode[wikiCode] ?? null
  }
  if (wikiCode?.startsWith('internal_api_error_')) return overload('internal_api_error')
  if ((success || status === 403) && titleSaysSlowDown(bodyText)) return throttled('block_page')
  if ((success || status === 403) && isJsonError(bodyText)) return transient('service_error')
  if (success) return looksLikeMarkup(bodyText) ? transient('html_answer') : null
  // Any value counts here, even "0" or rubbish: who sends the header means "later", not "broken".
  if ((status === 503 || status === 529) && headers['retry-after'] !== undefined) {
    return throttled('service_busy')
  }
  return byStatus[status] ?? otherStatus(status)
}

function otherStatus(status: number): Rule {
  if (status >= 500) return overload('server_error')
  if (status >= 400) return permanent('rejected')
  return endpoint('unexpected_status', fixedEndpoint)
}
