/**
 * Asks a source for pages and details as its profile says. Every request goes through the one HTTP client, so it has a
 * permit; secrets go to the host they are set for and stand in no error.
 */
import type { DomainSilence } from '../../core/domain-silence.ts'
import type { SourceProfile, ContentType } from '../../core/extract/source-profile.ts'
import { nextLink } from '../../core/extract/link-header.ts'
import { pageParams, type PagePlace } from '../../core/extract/paginator.ts'
import { nameAt, valueAt } from '../../core/extract/value-at.ts'
import { headerText } from '../../core/retry-after.ts'
import { OutsideCallError } from '../../errors.ts'
import type { Exchange } from '../exchange-record.ts'
import type { HttpClient, HttpResponse } from '../http-client.ts'
import { isJsonObject, type JsonObject } from '../tolerant-json.ts'
import { parseExactJson } from './exact-json.ts'
import type { SourceAccess } from './source-access.ts'

export interface SourceItem {
  readonly id: string
  readonly ordinal: number
  /** JSON. */
  readonly body: string
}

export interface SourcePage {
  /** Rows of the answer, those without an id included. */
  readonly rows: number
  readonly rowsWithoutId: number
  readonly items: readonly SourceItem[]
  /** Cursor, or address, of the next page; null: the answer names none. */
  readonly next: string | null
  readonly total: number | null
}

export interface SourceCall {
  readonly signal: AbortSignal
  /** From 1. */
  readonly attempt: number
  readonly onExchange: (exchange: Exchange) => void
}

export interface SourceClient {
  /** For how long it has not answered; null when its last answer came. Kept by those who ask. */
  silence: DomainSilence | null
  /** @throws OutsideCallError */
  fetchPage(type: ContentType, place: PagePlace, call: SourceCall): Promise<SourcePage>
  /** The fields that a detail request adds to an item. @throws OutsideCallError, none of which names the id */
  fetchDetail(type: ContentType, id: string, call: SourceCall): Promise<JsonObject>
}

export function createSourceClient(deps: {
  readonly http: Pick<HttpClient, 'request'>
  readonly profile: SourceProfile
  readonly access: SourceAccess
}): SourceClient {
  const { http, profile, access } = deps
  const get = (url: string, call: SourceCall): Promise<HttpResponse> =>
    access.authorised({ url, headers: { ...profile.headers } }, call, (request) =>
      http.request({
        method: 'GET',
        url: request.url,
        headers: request.headers,
        signal: call.signal,
        project: `source/${profile.name}`,
        attempt: call.attempt,
        onExchange: call.onExchange,
      }),
    )
  return {
    silence: null,
    async fetchPage(type, place, call) {
      const response = await get(pageUrl(profile, type, place), call)
      return readPage(type, response, parsed(response))
    },
    async fetchDetail(type, id, call) {
      const path = type.detail?.path ?? ''
      const url = `${profile.baseUrl}${path.replaceAll('{id}', encodeURIComponent(id))}`
      const value = await get(url, call)
        .then(parsed)
        .catch((error: unknown) => {
          throw withoutId(error, `${profile.baseUrl}${path}`)
        })
      if (isJsonObject(value)) return value
      throw unusable(`${profile.baseUrl}${path}`, 'details that are no object', 'an object')
    },
  }
}

/** The address of a page. @throws OutsideCallError kind `endpoint`, `next_elsewhere` */
export function pageUrl(profile: SourceProfile, type: ContentType, place: PagePlace): string {
  const { paginator } = type
  const first = new URL(`${profile.baseUrl}${type.path}`)
  if (paginator.kind === 'link' && place.cursor !== null) {
    const next = new URL(place.cursor, first)
    if (next.origin === first.origin) return next.href
    throw new OutsideCallError({
      kind: 'endpoint',
      code: 'next_elsewhere',
      message: `${first.origin}${first.pathname} names a next page on another host (${next.host}); expected its own.`,
      hint: 'Give the host that serves the pages as baseUrl of the profile.',
    })
  }
  const params = { ...type.params, ...pageParams(paginator, place) }
  for (const [name, value] of Object.entries(params)) first.searchParams.set(name, value)
  return first.href
}

function readPage(type: ContentType, response: HttpResponse, body: unknown): SourcePage {
  const list = valueAt(body, type.items)
  if (!Array.isArray(list)) {
    const where = type.items === '' ? 'the answer itself' : `"${type.items}"`
    throw unusable(shown(response), `no list at ${where}`, `one at ${where}`)
  }
  const rows = list as readonly unknown[]
  const items = rows.flatMap((row, ordinal) => {
    const id = nameAt(row, type.id)
    return id === undefined || !isJsonObject(row)
      ? []
      : [{ id, ordinal, body: JSON.stringify(row) }]
  })
  return {
    rows: rows.length,
    rowsWithoutId: rows.length - items.length,
    items,
    next: nextOf(type, response, body),
    total: totalOf(type, response, body),
  }
}

function nextOf({ paginator }: ContentType, response: HttpResponse, body: unknown): string | null {
  switch (paginator.kind) {
    case 'cursor':
      return nameAt(body, paginator.cursorPath) ?? null
    case 'link': {
      const next = nextLink(headerText(response.headers, 'link'))
      return next === null ? null : new URL(next, response.url).href
    }
    case 'none':
    case 'offset':
    case 'page':
    default:
      return null
  }
}

function totalOf({ total }: ContentType, { headers }: HttpResponse, body: unknown): number | null {
  if (total === null) return null
  const text =
    'header' in total ? headerText(headers, total.header.toLowerCase()) : nameAt(body, total.path)
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null
}

function parsed(response: HttpResponse): unknown {
  try {
    return parseExactJson(response.bodyText)
  } catch (error) {
    throw new OutsideCallError({
      kind: 'transient',
      code: 'malformed_answer',
      message: `${shown(response)} sent an answer that is no JSON; expected JSON.`,
      cause: error,
    })
  }
}

/** The profile does not fit what the source sends; no retry mends that. */
function unusable(url: string, found: string, expected: string): OutsideCallError {
  return new OutsideCallError({
    kind: 'permanent',
    code: 'unexpected_shape',
    message: `${url} sent ${found}; expected ${expected}.`,
    hint: 'Correct the profile, and start a new extraction.',
  })
}

function shown({ url }: HttpResponse): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

// Failures stand in histories, and an id is a part of a record.
function withoutId(error: unknown, path: string): unknown {
  if (!(error instanceof OutsideCallError)) return error
  const { kind, code, hint, status, retryAfterMs } = error
  const answer = status === undefined ? 'did not answer' : `answered ${status}`
  const message = `${path} ${answer} (${code}); expected details.`
  return new OutsideCallError({ kind, code, message, hint, status, retryAfterMs })
}
