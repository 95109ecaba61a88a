/**
 * How long good answers take: now, usually, and at worst. Only successes count: errors come back faster,
 * time-outs all alike, and either would look like a healthy server.
 */

export interface Latency {
  /** Moving average of now; null before the first answer. */
  readonly shortMs: number | null
  /** What quick answers take now: a quicker one counts at once, slower ones like in `shortMs`. */
  readonly quickMs: number | null
  /** What is usual: a slow average, bounded so that a server getting worse does not become the standard. */
  readonly longMs: number | null
  /** Answers behind `longMs`, up to the end of its warm-up. */
  readonly seen: number
  /** When the last answer was counted. */
  readonly atMs: number
  /** The last 64, whole ms, the newest last. */
  readonly recentMs: readonly number[]
}

/** `count` answers, of a process, since it last told. */
export interface LatencyReport {
  readonly count: number
  readonly meanMs: number
  readonly p95Ms: number
  /** Taken for the mean where it is not known. */
  readonly leastMs?: number
}

const SHORT_WEIGHT = 0.2
const LONG_WEIGHT = 0.01
/** Until so many answers, the usual is their plain mean. */
const WARM_UP = 10
/** The usual may rise by 10 % per minute. */
const RISE_PER_MINUTE = 1.1
const MINUTE_MS = 60_000
/** When it is twice what is now, the server has become faster: it falls by 5 % per 2 s at most. */
const FALL_PER_SLOT = 0.95
const SLOT_MS = 2_000
const RING = 64

export function noLatency(): Latency {
  return { shortMs: null, quickMs: null, longMs: null, seen: 0, atMs: 0, recentMs: [] }
}

/** A report counts like `count` answers that took `meanMs` each. */
export function addLatency(latency: Latency, report: LatencyReport, nowMs: number): Latency {
  const { count, meanMs, leastMs = meanMs } = report
  if (count < 1) return latency
  const { shortMs, quickMs, longMs, seen, atMs, recentMs } = latency
  const weight = weightOf(count, SHORT_WEIGHT)
  const short = shortMs === null ? meanMs : blend(shortMs, meanMs, weight)
  const isQuicker = quickMs === null || leastMs <= quickMs
  return {
    shortMs: short,
    quickMs: isQuicker ? leastMs : blend(quickMs, leastMs, weight),
    longMs: nextLong(longMs, seen, short, report, nowMs - atMs),
    seen: Math.min(WARM_UP, seen + count),
    atMs: nowMs,
    recentMs: [...recentMs, ...samplesOf(report)].slice(-RING),
  }
}

/** Nearest rank over the last 64; null before the first answer. */
export function p95({ recentMs }: Latency): number | null {
  const sorted = recentMs.toSorted((a, b) => a - b)
  return sorted[rank95(sorted.length) - 1] ?? null
}

/** Mean of the last 64; 0 before the first answer. */
export function recentMean({ recentMs }: Latency): number {
  return recentMs.reduce((sum, ms) => sum + ms, 0) / Math.max(1, recentMs.length)
}

function nextLong(
  longMs: number | null,
  seen: number,
  shortMs: number,
  { count, meanMs }: LatencyReport,
  elapsedMs: number,
): number {
  if (longMs === null) return meanMs
  if (seen < WARM_UP) return blend(longMs, meanMs, count / (seen + count))
  const highest = longMs * RISE_PER_MINUTE ** Math.min(1, elapsedMs / MINUTE_MS)
  const next = Math.min(highest, blend(longMs, meanMs, weightOf(count, LONG_WEIGHT)))
  const lowest = longMs * FALL_PER_SLOT ** Math.min(1, elapsedMs / SLOT_MS)
  return longMs > 2 * shortMs ? Math.min(next, lowest) : next
}

function blend(old: number, latest: number, weight: number): number {
  return old + weight * (latest - old)
}

/** `count` steps of a moving average towards the same value. */
function weightOf(count: number, weight: number): number {
  return 1 - (1 - weight) ** count
}

/**
 * Samples with the mean and the 95th percentile of a report: as many at the percentile as lie at or above
 * it, the rest where the mean wants them. A report of more than 64 stands for its proportions.
 */
function samplesOf({ count, meanMs, p95Ms }: LatencyReport): number[] {
  const size = Math.min(RING, count)
  const slow = size - rank95(size) + 1
  const restMs = (meanMs * size - p95Ms * slow) / (size - slow)
  const bounded = Math.round(Math.min(p95Ms, Math.max(0, restMs)))
  return Array.from({ length: size }, (_, index) =>
    index < size - slow ? bounded : Math.round(p95Ms),
  )
}

/** Position of the 95th percentile among so many sorted values, from 1. */
function rank95(size: number): number {
  return Math.ceil(size * 0.95)
}
