/** What may be stored, and used again. Pure: clocks, tables and stores are the caller's. */
import {
  type AnyHeaders,
  harmlessHeaders,
  keptHeaders,
  type PlainHeaders,
  secretHeaderNames,
} from './cache-headers.ts'
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

/** What the largest number that caches understand means (RFC 9111, 1.2.2): 2^31 seconds. */
const LONGEST_FRESH_S = 2 ** 31

/** RFC 5861, 4. */
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

/** What may be done with a stored answer for a request that it matches. */
export function reuse(
  request: CacheRequest,
  stored: Pick<StorableAnswer, 'policy' | 'freshUntilMs'>,
  wishes: CacheWishes,
  nowMs: number,
): Reuse {
  const policy = restorePolicy(stored.policy, nowMs)
  const isFresh = nowMs < stored.freshUntilMs
  if (wishes.offline === true) return { kind: isFresh ? 'fresh' : 'stale' }
  if (wishes.force === true) return { kind: 'none' }
  const sent = harmlessHeaders(request.headers ?? {})
  const isTooOld = wishes.maxAgeMs !== undefined && policy.age() * 1000 > wishes.maxAgeMs
  if (isFresh && !isTooOld && !asksAnew(sent)) return { kind: 'fresh' }
  const headers = policy.revalidationHeaders({ headers: { ...sent } })
  const conditional = Object.fromEntries(
    ['if-none-match', 'if-modified-since'].flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value] as const] : []
    }),
  )
  return Object.keys(conditional).length === 0
    ? { kind: 'none' }
    : { kind: 'revalidate', conditional }
}

/**
 * A stored answer after the server said that it did not change (4.3.4): its headers win, and it is fresh anew.
 * @returns `other`: it speaks of another answer than ours; `bypass`: ours is good this time, and kept no longer
 */
export function freshen(
  request: CacheRequest,
  stored: StoredPolicy,
  answer: Pick<CacheAnswer, 'headers' | 'isRedirected'>,
  nowMs: number,
): StorableAnswer | 'other' | 'bypass' {
  const fresh = keptHeaders(answer.headers)
  const { age: _age, date: _date, ...old } = keptHeaders(stored.resh)
  if (!isOfSame(old, fresh)) return 'other'
  // The body is the old one, so what describes it stays.
  const { 'content-length': _length, 'content-type': _type, ...news } = fresh
  const headers = { ...old, ...news }
  return storable(request, { ...answer, status: 200, headers }, nowMs) ?? 'bypass'
}

/** Whether a stale answer may be used because the server fails (RFC 5861, 4), and it says so itself. */
export function mayServeOnError(
  stored: Pick<StorableAnswer, 'policy' | 'freshUntilMs'>,
  trouble: ServerTrouble,
  nowMs: number,
): boolean {
  const { rescc } = stored.policy
  if (!ERRORS.has(trouble) || 'must-revalidate' in rescc || 'no-cache' in rescc) return false
  const allowedS = Number.parseInt(rescc['stale-if-error'] ?? '', 10)
  return nowMs < stored.freshUntilMs + (Number.isFinite(allowedS) ? allowedS * 1000 : 0)
}

/** The way there is not to be remembered unless each redirect may be, which they hardly ever may: ask each time. */
function freshUntil(
  policy: ReturnType<typeof makePolicy>,
  { isRedirected = false }: CacheAnswer,
  nowMs: number,
): number {
  const leftS = isRedirected ? 0 : policy.maxAge() - policy.age()
  return nowMs + Math.min(Math.max(0, leftS), LONGEST_FRESH_S) * 1000
}

function asksAnew({ 'cache-control': directives = '', pragma = '' }: PlainHeaders): boolean {
  return /\bno-cache\b/i.test(`${directives} ${pragma}`) || /\bmax-age="?0\b/i.test(directives)
}

/** A 304 may be silent about what it compared; what it names must be ours. */
function isOfSame(old: PlainHeaders, fresh: PlainHeaders): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  if (old['etag'] !== undefined && fresh['etag'] !== undefined) {
    return opaque(old['etag']) === opaque(fresh['etag'])
  }
  const dates = [old['last-modified'], fresh['last-modified']]
  return dates.includes(undefined) || dates[0] === dates[1]
}
