/** What an answer is stored under: texts that are hashed before they are stored, for addresses hold secrets too. */
import { type AnyHeaders, harmlessHeaders, secretHeaderNames } from './cache-headers.ts'

export interface CacheRequest {
  /** As the plan has it, before any redirect. */
  readonly url: string
  /** Headers of the plan. */
  readonly headers?: AnyHeaders
}

/** Method and address without its fragment, which no server sees. */
export function cacheKeyText({ url }: CacheRequest): string {
  const address = new URL(url)
  address.hash = ''
  return `GET ${address.href}`
}

/** Names of the headers that an answer varies on, in order; null: on anything, so no request can match. */
function varyNames(vary: string | undefined): readonly string[] | null {
  const names = (vary ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return names.includes('*') ? null : [...new Set(names)].sort()
}

/** Which of several answers of an address; undefined: it varies on a secret of the request, or on anything. */
export function varyKeyText(request: CacheRequest, vary: string | undefined): string | undefined {
  const names = varyNames(vary)
  if (names === null) return undefined
  const headers = request.headers ?? {}
  if (secretHeaderNames(headers).some((name) => names.includes(name))) return undefined
  const sent = harmlessHeaders(headers)
  return JSON.stringify(names.map((name) => [name, normal(sent[name])]))
}

/** Differences in white space mean nothing. */
function normal(value: string | undefined): string | null {
  return value === undefined
    ? null
    : value.trim().replace(/\s+/g, ' ').replaceAll(' ,', ',').replaceAll(', ', ',')
}
