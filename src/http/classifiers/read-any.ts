/**
 * What an answer of a server we know nothing of means: the one table of statuses and of bodies (DESIGN §3).
 * Success codes lie, so the body is looked at before the status: proxies send pages with 200, blocks come
 * as 200, 403 or 429 (research/reconciliation.md §2.4).
 */
import {
  bannedUntilMs,
  isJsonError,
  looksLikeMarkup,
  saysBanned,
  titleSaysSlowDown,
} from '../error-body.ts'
import {
  type AnswerReading,
  endpoint,
  overload,
  permanent,
  type ReceivedResponse,
  throttled,
  transient,
  usable,
} from './answer-reading.ts'

/** Of who shuts a client out without saying until when; Wikimedia's bans last a day. */
const usualBanMs = 86_400_000

const fixedEndpoint = 'Check the address of the service, then resume the run.'

const byStatus: Readonly<Record<number, AnswerReading>> = {
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

/** @param serverNowMs The server's clock as far as known; "banned until" is measured against it. */
export function readAny(response: ReceivedResponse, serverNowMs: number): AnswerReading {
  const { status, headers, bodyText } = response
  const success = status >= 200 && status < 300
  const refusal = status === 403 || status === 429
  if (saysBanned(bodyText) && (refusal || looksLikeMarkup(bodyText))) {
    return banned(bodyText, serverNowMs)
  }
  if ((success || status === 403) && titleSaysSlowDown(bodyText)) return throttled('block_page')
  if ((success || status === 403) && isJsonError(bodyText)) return transient('service_error')
  if (success) return looksLikeMarkup(bodyText) ? transient('html_answer') : usable
  // Any value counts here, even "0" or rubbish: who sends the header means "later", not "broken".
  if ((status === 503 || status === 529) && headers['retry-after'] !== undefined) {
    return throttled('service_busy')
  }
  return byStatus[status] ?? otherStatus(status)
}

/** The run pauses, and the limiter leaves the domain alone: whoever asks on is banned for longer. */
function banned(bodyText: string, serverNowMs: number): AnswerReading {
  const untilMs = bannedUntilMs(bodyText) ?? 0
  return {
    ...endpoint('banned', 'The service has shut this client out for a time: wait, then resume.'),
    outcome: 'throttled',
    leastWaitMs: untilMs > serverNowMs ? untilMs - serverNowMs : usualBanMs,
  }
}

function otherStatus(status: number): AnswerReading {
  if (status >= 500) return overload('server_error')
  if (status >= 400) return permanent('rejected')
  return endpoint('unexpected_status', fixedEndpoint)
}
