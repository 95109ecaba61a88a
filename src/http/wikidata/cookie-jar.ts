/**
 * Cookies of one host, for as long as the process lives: who shows a token to Wikimedia is asked to keep them, and
 * without them each request begins a session anew (research reconciliation §2.3, §2.7). Path and domain are not heeded,
 * since all calls go to one address.
 */
import type { ResponseHeaders } from '../../core/retry-after.ts'

export interface CookieJar {
  /** Keeps what an answer sets. */
  keep(headers: ResponseHeaders): void
  /** What to send as `cookie`; undefined for nothing. */
  header(): string | undefined
}

/** A server that sets ever more of them gets the first. */
const MOST_COOKIES = 20
const LONGEST_COOKIE = 4096

interface Cookie {
  readonly value: string
  /** ms since the epoch; Infinity: until the end of the process. */
  readonly endsAtMs: number
}

export function createCookieJar(nowMs: () => number): CookieJar {
  const cookies = new Map<string, Cookie>()
  return {
    keep(headers) {
      for (const text of [headers['set-cookie'] ?? []].flat()) {
        const [, name, value] = /^\s*([^\s=;,]+)=([^;\s]*)/.exec(text) ?? []
        if (name === undefined || value === undefined || text.length > LONGEST_COOKIE) continue
        if (cookies.size >= MOST_COOKIES && !cookies.has(name)) continue
        cookies.set(name, { value, endsAtMs: endOf(text, nowMs()) })
      }
    },
    header() {
      const now = nowMs()
      for (const [name, { endsAtMs }] of cookies) if (endsAtMs <= now) cookies.delete(name)
      const pairs = [...cookies].map(([name, { value }]) => `${name}=${value}`)
      return pairs.length === 0 ? undefined : pairs.join('; ')
    },
  }
}

/** Max-Age counts before Expires. */
function endOf(text: string, nowMs: number): number {
  const seconds = /;\s*max-age\s*=\s*(-?\d+)/i.exec(text)?.[1]
  if (seconds !== undefined) return nowMs + Number(seconds) * 1000
  const date = /;\s*expires\s*=\s*([^;]+)/i.exec(text)?.[1]
  const atMs = date === undefined ? Number.NaN : Date.parse(date)
  return Number.isNaN(atMs) ? Number.POSITIVE_INFINITY : atMs
}
