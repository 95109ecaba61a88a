/**
 * How long a server asked us to wait, read from the headers of one response (research/limiter.md §5.1).
 * "No usable wish" is `undefined`, never 0: the caller then falls back to its own back-off.
 */

/** Header names in lower case; a repeated header is an array. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** The longest wait returned: a Node timer above 2^31 - 1 ms (24.8 days) fires at once. */
export const longestWaitMs = 2 ** 31 - 1

/**
 * A server that asks for more is asked again after this, and once a day from then on: the longest ban that is
 * usual (the query service of Wikidata) lasts a day.
 */
export const longestObeyedMs = 86_400_000

/** Headers whose unit is milliseconds; more exact than Retry-After, so they win over it. */
const millisecondHeaders = ['retry-after-ms', 'x-amz-retry-after']

const weekday = /^(?:mon|tue|wed|thu|fri|sat|sun|(?:mon|tues|wednes|thurs|fri|satur|sun)day)$/i

const datePatterns = [
  /^\w{3}, (?<day>\d\d) (?<month>[a-z]{3}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/i,
  /^\w{6,9}, (?<day>\d\d)-(?<month>[a-z]{3})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/i,
  /^\w{3} (?<month>[a-z]{3}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/i,
]

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

/**
 * The wait asked for by `Retry-After` (seconds or a date), `retry-after-ms` or `x-amz-retry-after`.
 * @param nowMs Our clock, used only where the response has no Date header of its own.
 * @returns Whole ms from 1 to {@link longestWaitMs}; undefined for absent, malformed, zero or past values.
 */
export function retryAfterMs(headers: ResponseHeaders, nowMs: number): number | undefined {
  for (const name of millisecondHeaders) {
    const waitMs = wait(wholeNumber(headerText(headers, name)))
    if (waitMs !== undefined) return waitMs
  }
  const sentAtMs = serverNowMs(headers, nowMs)
  const waits = listMembers(headerText(headers, 'retry-after') ?? '').map((member) => {
    const seconds = wholeNumber(member)
    if (seconds !== undefined) return seconds * 1000
    const dateMs = httpDateMs(member, nowMs)
    return dateMs === undefined ? undefined : Math.ceil((dateMs - sentAtMs) / 1000) * 1000
  })
  return wait(largest(waits))
}

/**
 * The wait until `X-RateLimit-Reset` or `RateLimit-Reset`, for a refusal without any Retry-After.
 * Servers disagree on its unit: epoch seconds, epoch ms and seconds to go are told apart by size. An
 * instant gets one second more, since it is exclusive and clocks differ.
 * @returns Like {@link retryAfterMs}; undefined too when the quota named by `…-Remaining` is not used up.
 */
export function rateLimitResetMs(headers: ResponseHeaders, nowMs: number): number | undefined {
  if (headerText(headers, 'retry-after') !== undefined) return undefined
  const waits = ['x-ratelimit', 'ratelimit'].map((prefix) => {
    const remaining = wholeNumber(headerText(headers, `${prefix}-remaining`)) ?? 0
    return remaining > 0 ? undefined : untilResetMs(headers, `${prefix}-reset`, nowMs)
  })
  return wait(largest(waits))
}

/** The time until the reset that the named header tells, ms, 0 or more; undefined for absent, malformed, past. */
export function untilResetMs(
  headers: ResponseHeaders,
  name: string,
  nowMs: number,
): number | undefined {
  const reset = wholeNumber(headerText(headers, name))
  if (reset === undefined || reset < 1e9) return reset === undefined ? undefined : reset * 1000
  const resetAtMs = reset < 1e12 ? reset * 1000 : reset
  const sentAtMs = serverNowMs(headers, nowMs)
  return resetAtMs <= sentAtMs ? undefined : resetAtMs - sentAtMs + 1000
}

/** One header as text, repeated ones joined by commas. */
export function headerText(headers: ResponseHeaders, name: string): string | undefined {
  const value = headers[name]
  return value === undefined || typeof value === 'string' ? value : value.join(', ')
}

/** What the server's clock said when it answered, ms since the epoch; our own where it does not say. */
export function serverNowMs(headers: ResponseHeaders, nowMs: number): number {
  return httpDateMs(headerText(headers, 'date')?.trim() ?? '', nowMs) ?? nowMs
}

/** Splits at commas, except the one inside a date. */
function listMembers(text: string): readonly string[] {
  const members: string[] = []
  let day = ''
  for (const part of text.split(',')) {
    if (weekday.test(part.trim())) day = `${part.trim()}, `
    else {
      members.push(day + part.trim())
      day = ''
    }
  }
  return members
}

/** The three date forms of RFC 9110 §5.6.7. Date.parse is no help: it reads "1.5" as a day of 2001. */
function httpDateMs(text: string, nowMs: number): number | undefined {
  const groups = datePatterns.map((pattern) => pattern.exec(text)?.groups).find(Boolean)
  if (!groups) return undefined
  const month = months.indexOf((groups['month'] ?? '').toLowerCase())
  const day = Number(groups['day'])
  const year = fullYear(groups['year'] ?? '', nowMs)
  const [hour = 99, minute = 99, second = 99] = (groups['time'] ?? '').split(':').map(Number)
  // Second 60 is a leap second: the first one of the next minute.
  if (month < 0 || day < 1 || hour > 23 || minute > 59 || second > 60) return undefined
  if (day > new Date(Date.UTC(year, month + 1, 0)).getUTCDate()) return undefined
  return Date.UTC(year, month, day, hour, minute, second)
}

/** A two-digit year more than 50 years ahead means the last century (RFC 9110). */
function fullYear(digits: string, nowMs: number): number {
  if (digits.length > 2) return Number(digits)
  const thisYear = new Date(nowMs).getUTCFullYear()
  const year = Math.floor(thisYear / 100) * 100 + Number(digits)
  return year > thisYear + 50 ? year - 100 : year
}

/** Digits and nothing else but blanks around them. */
export function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+\s*$/.test(text) ? Number(text) : undefined
}

function largest(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? undefined : Math.max(...known)
}

function wait(ms: number | undefined): number | undefined {
  return ms !== undefined && ms > 0 ? Math.min(ms, longestWaitMs) : undefined
}
