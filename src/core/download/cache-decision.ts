/** What may be stored, and used again. Pure: clocks, tables and stores are the caller's. */
import { harmlessHeaders, keptHeaders, type AnyHeaders, secretHeaderNames } from './cache-headers.ts'
import { type CacheRequest, varyKeyText } from './cache-key.ts'
import { makePolicy, restorePolicy, type StoredPolicy } from './cache-policy.ts'

export interface CacheAnswer {
  readonly status: number
  readonly headers: AnyHeaders
  /** It came from another address than was asked. */
  readonly isRedirected?: boolean
}

export interface StorableAnswer {
  readonly varyText: string
  readonly policy: StoredPolicy
  readonly freshUntilMs: number
}

/** What a command says about stored answers. */
export interface CacheWishes {
  /** Ask, whatever is stored. */
  readonly force?: boolean
  /** Only what is not older. */
  readonly maxAgeMs?: number | undefined
  /** Nothing is asked: what is stored is used, fresh or not. */
  readonly offline?: boolean
}

export type Reuse =
  | { readonly kind: 'fresh' }
  | { readonly kind: 'stale' }
  /** Ask, with these headers: the server may answer 304. */
  | { readonly kind: 'revalidate'; readonly conditional: Readonly<Record<string, string>> }
  | { readonly kind: 'none' }

/** A failure of the server, or null: it was not reached. */
export type ServerTrouble = number | null

/** 5.3.1 of RFC 9110 and 4 of RFC 5861. */
const ERRORS: ReadonlySet<number | null> = new Set([null, 500, 502, 503, 504])

/**
 * Whether an answer may be stored, under which variant, and how long it is fresh.
 * @returns undefined: it may not
 */
export function storable(
  request: CacheRequest,
  answer: CacheAnswer,
  nowMs: number,
): StorableAnswer | undefined {
  // Only whole answers: a 206 is a part, and others have no artifact.
  if (answer.status !== 200) return undefined
  const headers = keptHeaders(answer.headers)
  const varyText = varyKeyText(request, headers['vary'])
  if (varyText === undefined) return undefined
  const sent = request.headers ?? {}
  const policy = makePolicy({ headers: harmlessHeaders(sent) }, { status: 200, headers }, nowMs)
  if (!policy.storable() || (harmlessHeaders(sent)['range'] ?? '') !== '') return undefined
  const { rescc } = policy.toObject()
  const isForAll = ['public', 'must-revalidate', 's-maxage'].some((one) => one in rescc)
  if (secretHeaderNames(sent).length > 0 && !isForAll) return undefined
  return { varyText, policy: policy.toObject(), freshUntilMs: freshUntil(policy, answer, nowMs) }
}
