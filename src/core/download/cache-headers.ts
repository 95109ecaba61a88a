/**
 * Headers as the cache keeps them. Kept is what is named here: any other may carry a secret, such as a key of some API,
 * or a cookie, and none of them may reach the database.
 */

import { plainDirectives, plainExpires } from './cache-directives.ts'

/** As they come, in whatever case; a repeated one may be a list. */
export type AnyHeaders = Readonly<Record<string, string | readonly string[] | undefined>>
/** Names in lower case. */
export type PlainHeaders = Readonly<Record<string, string>>

const HARMLESS_OF_REQUESTS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'pragma',
  'range',
  'user-agent',
])

const KEPT_OF_ANSWERS: ReadonlySet<string> = new Set([
  'age',
  'cache-control',
  'content-disposition',
  'content-language',
  'content-length',
  'content-type',
  'date',
  'etag',
  'expires',
  'last-modified',
  'pragma',
  'vary',
])

/** What may be kept of a request. */
export function harmlessHeaders(headers: AnyHeaders): PlainHeaders {
  return plain(headers, (name) => HARMLESS_OF_REQUESTS.has(name))
}

/** Names, in lower case, of headers of a request that may be secrets. */
export function secretHeaderNames(headers: AnyHeaders): readonly string[] {
  return Object.keys(plain(headers, (name) => !HARMLESS_OF_REQUESTS.has(name)))
}

/** What is kept of an answer. */
export function keptHeaders(headers: AnyHeaders): PlainHeaders {
  const {
    'cache-control': directives,
    expires,
    ...kept
  } = plain(headers, (name) => KEPT_OF_ANSWERS.has(name))
  return {
    ...kept,
    ...(directives === undefined ? {} : { 'cache-control': plainDirectives(directives) }),
    ...(expires === undefined ? {} : { expires: plainExpires(expires) }),
  }
}

function plain(headers: AnyHeaders, isKept: (name: string) => boolean): PlainHeaders {
  const kept: Record<string, string> = {}
  for (const [anyCase, value] of Object.entries(headers)) {
    const name = anyCase.toLowerCase()
    if (value === undefined || !isKept(name)) continue
    const text = typeof value === 'string' ? value : value.join(', ')
    kept[name] = kept[name] === undefined ? text : `${kept[name]}, ${text}`
  }
  return kept
}
