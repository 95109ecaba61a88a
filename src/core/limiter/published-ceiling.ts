/**
 * The rate a server's own headers allow (IETF RateLimit fields, `X-RateLimit-*`; research/limiter.md §3.4 E8).
 *
 * A quota per window is a rate. What is left of it, divided by the time until the reset, is none by
 * itself: with 10,000 per 1,000 s and a reset in 10 s it says 1,000/s where the policy says 10/s, and of a
 * bucket or a sliding window, which fill up all the time, it says next to nothing. It counts only where it is
 * lower than the quota's rate, as somebody else behind our address has used that up, and only of windows
 * that end at a fixed instant:
 *
 *   first heard ── some seconds later: same reset, no more left ──▶ FIXED ── the reset moves ──▶ first heard
 *
 * Where no quota is named, what is left is all there is: believed at once, until its reset moves.
 */
import type { PublishedLimit } from './protocol.ts'

export interface Ceiling {
  /** Of all quotas the lowest; null when none was named. */
  readonly quota: Bound | null
  /** Of what is left the lowest; null while none of it counts. */
  readonly left: Bound | null
  readonly heard: readonly Left[]
}

interface Bound {
  /** Requests per second, above 0. */
  readonly rps: number
  /** Not to be relied on at or after it, unless said again. */
  readonly untilMs: number
}

interface Left {
  /** Of the limit it is left of. */
  readonly quota: number
  readonly windowMs: number
  /** What was left when its reset was first heard of, and when that was. */
  readonly firstRemaining: number
  readonly firstMs: number
  readonly remaining: number
  readonly resetAtMs: number
  /** The reset has been seen to stand still, or to move; null as long as neither. */
  readonly isFixed: boolean | null
}

/** Kept below what is published. */
const PART = 0.99
/** A server that stops naming its limit is believed for the length of its window, within these. */
const SHORTEST_TRUST_MS = 60_000
const LONGEST_TRUST_MS = 3_600_000
/** Headers count whole seconds, and reports come some time after the answer. */
const ROUNDED_MS = 1_000
const ALMOST_MS = 1_500
/** So much later a reset that moves has visibly moved. */
const LATER_MS = 3_000
/** A reset this near is over before leases could follow it. */
const SOON_MS = 5_000

/**
 * @param before What was known before this answer.
 * @param nowMs Of the limiter's own clock.
 */
export function hearLimits(
  before: Ceiling | null,
  limits: readonly PublishedLimit[],
  nowMs: number,
): Ceiling | null {
  if (limits.length === 0) return before
  const lefts = limits.flatMap((limit) => hearLeft(before?.heard ?? [], limit, nowMs))
  return {
    quota: lowest(limits.flatMap((limit) => quotaBound(limit, nowMs))) ?? before?.quota ?? null,
    left: lowest(lefts.flatMap((left) => leftBound(left, nowMs))),
    heard: lefts,
  }
}

/** Requests per second; null when nothing that counts now was named. */
export function ceilingAt(ceiling: Ceiling | null, nowMs: number): number | null {
  const bounds = [ceiling?.quota, ceiling?.left].flatMap((bound) => bound ?? [])
  return lowest(bounds.filter(({ untilMs }) => nowMs < untilMs))?.rps ?? null
}

function lowest(bounds: readonly Bound[]): Bound | null {
  return bounds.reduce<Bound | null>(
    (least, bound) => (least === null || bound.rps < least.rps ? bound : least),
    null,
  )
}

function quotaBound(limit: PublishedLimit, nowMs: number): Bound[] {
  const rps = quotaRps(limit)
  if (rps === null) return []
  const trustMs = Math.max(SHORTEST_TRUST_MS, Math.min(LONGEST_TRUST_MS, limit.windowMs))
  return [{ rps: PART * rps, untilMs: nowMs + trustMs }]
}

function quotaRps({ quota, windowMs }: { readonly quota: number; readonly windowMs: number }) {
  return quota > 0 && windowMs > 0 ? (quota * 1000) / windowMs : null
}

function hearLeft(heard: readonly Left[], limit: PublishedLimit, nowMs: number): Left[] {
  const { quota, windowMs, remaining = -1, resetMs = 0 } = limit
  if (!(remaining >= 0 && resetMs > 0)) return []
  const resetAtMs = nowMs + resetMs
  const known = heard.find((left) => left.quota === quota && left.windowMs === windowMs)
  const first = { quota, windowMs, remaining, resetAtMs, firstRemaining: remaining, firstMs: nowMs }
  if (known === undefined) return [{ ...first, isFixed: null }]
  const hasMoved = Math.abs(resetAtMs - known.resetAtMs) > ALMOST_MS
  if (hasMoved || remaining > known.firstRemaining) return [{ ...first, isFixed: false }]
  // Of a slow quota not even one request comes back in a few seconds.
  const laterMs = Math.max(LATER_MS, 1000 / (quotaRps(limit) ?? Infinity))
  const isLater = nowMs - known.firstMs >= laterMs
  return [{ ...known, remaining, isFixed: isLater ? true : known.isFixed }]
}

/** When nothing is left, one request still fits: the one that comes when the window has been filled up. */
function leftBound(left: Left, nowMs: number): Bound[] {
  const resetMs = left.resetAtMs - nowMs
  const rps = quotaRps(left)
  const isBelieved = left.isFixed ?? rps === null
  const most = (Math.max(1, left.remaining) * 1000) / resetMs
  if (!isBelieved || resetMs <= SOON_MS) return []
  // What even with a reset rounded up is as fast as the quota is used as it should be.
  if (rps !== null && (left.remaining * 1000) / (resetMs - ROUNDED_MS) >= PART * rps) return []
  return [{ rps: PART * most, untilMs: nowMs + Math.min(LONGEST_TRUST_MS, resetMs) }]
}
