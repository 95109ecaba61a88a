/**
 * The rate a server's own headers allow (IETF RateLimit fields, `X-RateLimit-*`; research/limiter.md §3.4 E8).
 *
 * What is left of a window, divided by the rest of it, is no rate by itself: with 10,000 per 1,000 s and a
 * reset in 10 s it says 1,000/s where the policy says 10/s. It only counts where it is lower: somebody else
 * behind our address has used the quota up.
 */
import type { PublishedLimit } from './protocol.ts'

export interface Ceiling {
  /** Requests per second, above 0. */
  readonly rps: number
  /** Not to be relied on at or after it, unless said again. */
  readonly untilMs: number
}

/** Kept below what is published. */
const PART = 0.99
/** A server that stops naming its limit is believed for the length of its window, within these. */
const SHORTEST_TRUST_MS = 60_000
const LONGEST_TRUST_MS = 3_600_000

/**
 * The lowest of all limits of an answer.
 * @param nowMs Of the limiter's own clock.
 * @returns Null when they name no rate.
 */
export function ceilingOf(limits: readonly PublishedLimit[], nowMs: number): Ceiling | null {
  const ceilings = limits.flatMap((limit) => [
    ...quotaCeiling(limit, nowMs),
    ...leftCeiling(limit, nowMs),
  ])
  return ceilings.reduce<Ceiling | null>(
    (lowest, ceiling) => (lowest === null || ceiling.rps < lowest.rps ? ceiling : lowest),
    null,
  )
}

function quotaCeiling({ quota, windowMs }: PublishedLimit, nowMs: number): Ceiling[] {
  if (!(quota > 0 && windowMs > 0)) return []
  const trustMs = Math.max(SHORTEST_TRUST_MS, Math.min(LONGEST_TRUST_MS, windowMs))
  return [{ rps: (PART * quota * 1000) / windowMs, untilMs: nowMs + trustMs }]
}

/** When nothing is left, one request still fits: the one that comes when the window has been filled up. */
function leftCeiling({ remaining = -1, resetMs = 0 }: PublishedLimit, nowMs: number): Ceiling[] {
  if (!(remaining >= 0 && resetMs > 0)) return []
  const rps = (PART * Math.max(1, remaining) * 1000) / resetMs
  return [{ rps, untilMs: nowMs + Math.min(LONGEST_TRUST_MS, resetMs) }]
}
