/**
 * The limits a server publishes in the headers of an answer (research/limiter.md §1.10): the IETF draft
 * `RateLimit-Policy` and `RateLimit`, both as they are (named policies) and as they were until version 7 (a
 * quota with its window; a dictionary), and the older trios `RateLimit-*` and `X-RateLimit-*`. Pure.
 *
 * What is malformed, counts something other than requests, or names no time is ignored.
 */
import type { Item } from 'structured-headers'
import type { PublishedLimit } from '../core/limiter/protocol.ts'
import { headerText, type ResponseHeaders, untilResetMs, wholeNumber } from '../core/retry-after.ts'
import { dictionaryValue, listItems } from './structured-fields.ts'

/** What a report may carry. */
const mostLimits = 4
/** A month is the longest quota there is; what is longer is a mistake of units. */
const longestTimeMs = 31 * 86_400_000
/** A larger count is carried as the same rate over a shorter time. */
const largestCount = 1_000_000

/** So many requests in a time, or left for it. */
interface Allowance {
  /** What `RateLimit` names its policy by. */
  readonly id: string
  readonly count: number
  readonly forMs: number
}

/** Neither the trios nor the dictionary name their policy. */
const unnamed = ''

/**
 * @param nowMs Our clock, for reset instants of an answer without Date header.
 * @returns At most four; undefined when nothing is published, and for an answer out of a cache, which
 *   repeats what was left some time ago.
 */
export function publishedLimits(
  headers: ResponseHeaders,
  nowMs: number,
): readonly PublishedLimit[] | undefined {
  if (isCached(headers)) return undefined
  const { quotas, ofOtherUnits } = quotasOf(headers)
  // Retry-After takes precedence over the time until a reset (the draft, §7).
  const lefts = headers['retry-after'] === undefined ? leftsOf(headers, nowMs) : []
  const known = new Set(quotas.map(({ id }) => id))
  const limits = [
    ...quotas.map(({ id, count, forMs }) => {
      const left = lefts.find((candidate) => candidate.id === id)
      return { quota: count, windowMs: forMs, ...(left && leftFields(left)) }
    }),
    ...lefts
      .filter(({ id }) => !known.has(id) && !ofOtherUnits.has(id))
      .map((left) => ({ quota: 0, windowMs: 0, ...leftFields(left) })),
  ]
  return limits.length === 0 ? undefined : limits.slice(0, mostLimits)
}

/** How long nothing is left of some limit, ms; undefined when something is left of each. */
export function exhaustedForMs(limits: readonly PublishedLimit[] = []): number | undefined {
  const waits = limits.flatMap(({ remaining, resetMs = 0 }) => (remaining === 0 ? [resetMs] : []))
  return waits.length === 0 ? undefined : Math.max(...waits)
}

function leftFields({ count, forMs }: Allowance): Pick<PublishedLimit, 'remaining' | 'resetMs'> {
  return { remaining: count, resetMs: forMs }
}

/** A positive Age by RFC 9111; caches that leave it out say `hit`. */
function isCached(headers: ResponseHeaders): boolean {
  const said = ['cache-status', 'x-cache', 'cf-cache-status'].map((name) =>
    headerText(headers, name),
  )
  return (wholeNumber(headerText(headers, 'age')) ?? 0) > 0 || /\bhit\b/i.test(said.join(' '))
}

/** The quotas of the first header that names any, and the ids of those that count no requests. */
function quotasOf(headers: ResponseHeaders): {
  readonly quotas: readonly Allowance[]
  readonly ofOtherUnits: ReadonlySet<string>
} {
  const ofOtherUnits = new Set<string>()
  for (const name of ['ratelimit-policy', 'ratelimit-limit', 'x-ratelimit-limit']) {
    const quotas = listItems(headers, name).flatMap((item) => {
      const [value, parameters] = item
      if ((parameters.get('qu') ?? 'requests') !== 'requests') {
        ofOtherUnits.add(idOf(item))
        return []
      }
      const count = typeof value === 'string' ? parameters.get('q') : value
      // A quota of 0 would mean that nobody can ever ask; that is for statuses to say.
      return count === 0 ? [] : allowance(idOf(item), count, secondsMs(parameters.get('w')))
    })
    if (quotas.length > 0 || ofOtherUnits.size > 0) return { quotas, ofOtherUnits }
  }
  return { quotas: [], ofOtherUnits }
}

/** What is left, as the first header says that can be understood. */
function leftsOf(headers: ResponseHeaders, nowMs: number): readonly Allowance[] {
  const named = listItems(headers, 'ratelimit').flatMap((item) => {
    const [value, parameters] = item
    if (typeof value !== 'string') return []
    return allowance(idOf(item), parameters.get('r'), secondsMs(parameters.get('t')))
  })
  const draft7 = (key: string): unknown => dictionaryValue(headers, 'ratelimit', key)
  const trio = (prefix: string): readonly Allowance[] =>
    allowance(
      unnamed,
      wholeNumber(headerText(headers, `${prefix}-remaining`)),
      untilResetMs(headers, `${prefix}-reset`, nowMs),
    )
  const ways = [
    named,
    allowance(unnamed, draft7('remaining'), secondsMs(draft7('reset'))),
    trio('ratelimit'),
    trio('x-ratelimit'),
  ]
  return ways.find((lefts) => lefts.length > 0) ?? []
}

/** One, or none where the numbers are not what they must be. */
function allowance(id: string, count: unknown, timeMs: number | undefined): readonly Allowance[] {
  if (!isCount(count) || timeMs === undefined || timeMs <= 0 || timeMs > longestTimeMs) return []
  const scale = Math.max(1, count / largestCount)
  const forMs = Math.max(1, Math.round(timeMs / scale))
  return [{ id, count: Math.round(count / scale), forMs }]
}

function secondsMs(seconds: unknown): number | undefined {
  return isCount(seconds) ? seconds * 1000 : undefined
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

/** Quotas are kept apart by name and by partition key, a byte sequence. */
function idOf([value, parameters]: Item): string {
  const key = parameters.get('pk')
  return typeof value === 'string'
    ? `${value} ${key instanceof ArrayBuffer ? Buffer.from(key).toString('base64') : ''}`
    : unnamed
}
