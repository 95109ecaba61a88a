/**
 * One call of MediaWiki's Action API (https://www.mediawiki.org/wiki/API:Main_page): JSON with `formatversion=2`,
 * `maxlag`, and errors read from the body, since they come with status 200. What means "later" (maxlag, throttling,
 * a busy search) has been thrown by the HTTP client's classifier before the body is looked at here.
 */
import { OutsideCallError } from '../../errors.ts'
import type { HttpClient } from '../http-client.ts'
import { isLoopback } from '../loopback.ts'
import { createCookieJar } from './cookie-jar.ts'
import { type TellExchange, tellExchanges } from '../tell-exchanges.ts'
import { field, isJsonObject, type JsonObject, parseTolerantJson } from '../tolerant-json.ts'

export interface ActionApiOptions {
  readonly http: Pick<HttpClient, 'request'>
  /** `https://www.wikidata.org/w/api.php` */
  readonly url: string
  /** Whose requests these are, for fairness between projects. */
  readonly project: string
  /** OAuth 2 access token; goes into a header and nowhere else. */
  readonly accessToken?: string | undefined
  /** Seconds of replication lag at which the server turns us away; null: not sent. Default 5. */
  readonly maxLagS?: number | null
  /** Wall clock, ms since the epoch; default: the machine's. */
  readonly nowMs?: () => number
}

export interface ActionCall {
  readonly params: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** Which try of the same question this is, from 1 (the default). */
  readonly attempt?: number
  /** Told of every request once the call has ended; awaited. */
  readonly onExchange: TellExchange
}

/**
 * @param read undefined: the body lacks what was asked for
 * @throws OutsideCallError; kind `permanent` with the API's own code for what it refuses in this very call;
 *   `malformed_answer` (transient)
 */
export type ActionApi = <T>(
  call: ActionCall,
  read: (body: JsonObject) => T | undefined,
) => Promise<T>

const MAX_LAG_S = 5
/** Servers refuse longer addresses with 414; the same in a POST is one they do not cache. */
const LONGEST_ADDRESS = 2_000
/** Parameters of ours that a server does not know, or a module it lacks: every call will fail so. */
const OF_THE_ENDPOINT =
  /^(?:badvalue|unknown_action|readapidenied|permissiondenied|mwoauth-.*|assert.*failed)$/

export function createActionApi(options: ActionApiOptions): ActionApi {
  const { http, project, accessToken, nowMs = Date.now } = options
  const cookies = accessToken === undefined ? undefined : createCookieJar(nowMs)
  return ({ params, signal, attempt, onExchange: tell }, read) =>
    tellExchanges(tell, async (onExchange) => {
      const encoded = encodeCall(options, params)
      const cookie = cookies?.header()
      const response = await http.request({
        ...encoded,
        headers: { ...encoded.headers, ...(cookie === undefined ? {} : { cookie }) },
        signal,
        project,
        ...(attempt === undefined ? {} : { attempt }),
        onExchange,
      })
      cookies?.keep(response.headers)
      const body = parsed(response.bodyText)
      const error = errorIn(body)
      if (error !== undefined) throw refused(error)
      const result = read(body)
      if (result === undefined) throw unreadableAnswer(response.bodyText)
      return result
    })
}

/**
 * A call as it goes over the wire.
 * @throws OutsideCallError kind `endpoint`, `token_unencrypted`, where the token would cross a network for all to read
 */
export function encodeCall(
  { url, accessToken, maxLagS = MAX_LAG_S }: Omit<ActionApiOptions, 'http' | 'project'>,
  params: ActionCall['params'],
): EncodedCall {
  const query = new URLSearchParams({
    ...params,
    format: 'json',
    formatversion: '2',
    ...(maxLagS === null ? {} : { maxlag: String(maxLagS) }),
  }).toString()
  const address = `${url}?${query}`
  const headers = authorization(url, accessToken)
  return address.length <= LONGEST_ADDRESS
    ? { method: 'GET', url: address, headers }
    : { method: 'POST', url, body: query, headers: { ...headers, ...FORM } }
}

function authorization(
  url: string,
  accessToken: string | undefined,
): Readonly<Record<string, string>> {
  if (accessToken === undefined) return {}
  const address = new URL(url)
  if (address.protocol === 'https:' || isLoopback(address)) {
    return { authorization: `Bearer ${accessToken}` }
  }
  throw new OutsideCallError({
    kind: 'endpoint',
    code: 'token_unencrypted',
    message: `RECORD_LINKER_WIKIDATA_TOKEN is set, but the address of ${address.host} begins with http://; expected https://.`,
    hint: 'Correct RECORD_LINKER_WIKIDATA_URL, restart with ./record-linker down and up, then resume the run.',
  })
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

export interface EncodedCall {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

interface ApiError {
  readonly code: string
  readonly info: string
}

function parsed(bodyText: string): JsonObject {
  try {
    const body = parseTolerantJson(bodyText)
    if (isJsonObject(body)) return body
    throw unreadableAnswer(bodyText)
  } catch (error) {
    if (error instanceof OutsideCallError) throw error
    throw unreadableAnswer(bodyText, error)
  }
}

/** `error`, or `errors[0]` with a newer `errorformat`. */
function errorIn(body: JsonObject): ApiError | undefined {
  const errors = field(body, 'errors')
  const error = field(body, 'error') ?? (Array.isArray(errors) ? (errors[0] as unknown) : undefined)
  if (error === undefined) return undefined
  const code = isJsonObject(error) ? field(error, 'code') : undefined
  const info = isJsonObject(error) ? (field(error, 'info') ?? field(error, 'text')) : undefined
  return {
    code: typeof code === 'string' ? code : 'unknown_error',
    info: typeof info === 'string' ? info.slice(0, 300) : 'no reason given',
  }
}

function refused({ code, info }: ApiError): OutsideCallError {
  if (OF_THE_ENDPOINT.test(code)) {
    const message = `The API refused the call: ${code} (${info}).`
    const hint = 'Check RECORD_LINKER_WIKIDATA_TOKEN and the languages of the project, then resume.'
    return new OutsideCallError({ kind: 'endpoint', code, message, hint })
  }
  // Why it refused this very call may repeat what was asked, which is not to be logged.
  return new OutsideCallError({
    kind: 'permanent',
    code,
    message: `The API refused the call: ${code}.`,
  })
}

/** An answer that lacks what the API promises: never "nothing found". */
function unreadableAnswer(bodyText: string, cause?: unknown): OutsideCallError {
  return new OutsideCallError({
    kind: 'transient',
    code: 'malformed_answer',
    message: 'The API sent no usable answer; expected a JSON object with what was asked for.',
    bodyHead: bodyText.slice(0, 500),
    cause,
  })
}
