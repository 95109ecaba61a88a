/** How long a host asks a download to wait, and whether the job is parked for it. Pure. */
import {
  longestObeyedMs,
  rateLimitResetMs,
  retryAfterMs,
  type ResponseHeaders,
} from '../retry-after.ts'

export interface AskedWait {
  /** Undefined: nothing usable is said, so the usual back-off holds. */
  readonly waitMs: number | undefined
  /** Longer than an attempt waits: the job leaves its place until then. */
  readonly parks: boolean
}

/**
 * Seconds or a date; what is zero, past, negative or no time at all counts as nothing said. A wait of more than a day
 * is a day, after which the host is asked again.
 */
export function askedWait(
  headers: ResponseHeaders,
  nowMs: number,
  longestWaitMs: number,
): AskedWait {
  const asked = retryAfterMs(headers, nowMs) ?? rateLimitResetMs(headers, nowMs)
  if (asked === undefined) return { waitMs: undefined, parks: false }
  return { waitMs: Math.min(asked, longestObeyedMs), parks: asked > longestWaitMs }
}
