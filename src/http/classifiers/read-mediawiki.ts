/**
 * What MediaWiki's Action API says about load. It says so with status 200 and a code in a header and in the
 * body (task T33156 of its tracker); older versions answered lag with 503.
 */
import { headerText, type ResponseHeaders } from '../../core/retry-after.ts'
import { smallJsonObject } from '../error-body.ts'
import { type AnswerReading, overload, type ReceivedResponse, throttled } from './answer-reading.ts'

/** What MediaWiki names with `maxlag`, whatever the lag; only for an answer that lost its Retry-After. */
const maxlagWaitMs = 5_000

const maxlag = throttled('maxlag', maxlagWaitMs)

/** Codes that mean "slower" or "later"; what every other code means is for the caller to read. */
const byCode: Readonly<Record<string, AnswerReading>> = {
  maxlag,
  ratelimited: throttled('ratelimited'),
  'concurrency-limit': throttled('concurrency_limit'),
  readonly: overload('readonly'),
  'cirrussearch-backend-error': overload('search_failed'),
}

/** The search engine has no slot free, for all, for this address or for this kind of search. */
const searchBusy = /^cirrussearch-.*too-busy/

/** @returns Undefined for what means the same as everywhere else. */
export function readMediaWiki({
  status,
  headers,
  bodyText,
}: ReceivedResponse): AnswerReading | undefined {
  const code = errorCode(headers, bodyText)
  // Sent with a refusal for lag only, and by index.php without a code.
  if (code === undefined) return headers['x-database-lag'] === undefined ? undefined : maxlag
  if (Object.hasOwn(byCode, code)) return byCode[code]
  if (searchBusy.test(code)) return throttled('search_busy')
  if (code.startsWith('internal_api_error_')) return overload('internal_api_error')
  // An error comes back faster than an answer does, so it must not count as a quick success.
  return status === 200 ? { outcome: 'neutral', fault: null } : undefined
}

/** Only MediaWiki sends it, whatever the host is called. */
export function namesItselfMediaWiki(headers: ResponseHeaders): boolean {
  return headers['mediawiki-api-error'] !== undefined
}

/** `MediaWiki-API-Error`, else `error.code` or, with a newer `errorformat`, `errors[0].code` of the body. */
function errorCode(headers: ResponseHeaders, bodyText: string): string | undefined {
  const header = headerText(headers, 'mediawiki-api-error')?.trim()
  if (header) return header
  const body = smallJsonObject(bodyText, '"error')
  const errors: unknown = body?.['errors']
  const first: unknown = body?.['error'] ?? (Array.isArray(errors) ? errors[0] : undefined)
  const code =
    typeof first === 'object' && first !== null && 'code' in first ? first.code : undefined
  return typeof code === 'string' ? code : undefined
}
