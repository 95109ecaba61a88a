/**
 * What became of the requests of the last `statsWindowMs`, in buckets of `statsBucketMs`.
 *
 * Every bucket knows when it began, so a pause ages it by the time that has really passed, not by one
 * bucket (connor4312/cockatiel#64: failures of five minutes ago opened a breaker).
 */
import type { DomainPolicy } from './policy.ts'

export interface WindowCounts {
  /** Answers, good or saying nothing about load. */
  readonly ok: number
  readonly failed: number
  /** The server asked us to slow down. */
  readonly refused: number
}

/** Only buckets with something in them, the newest last. */
export interface ErrorWindow {
  readonly buckets: readonly Bucket[]
}

/** A tuple, since a window has sixteen of them in a state that is to stay small. */
type Bucket = readonly [startMs: number, ok: number, failed: number, refused: number]

export interface WindowTotals extends WindowCounts {
  readonly total: number
}

export function emptyWindow(): ErrorWindow {
  return { buckets: [] }
}

/** @param nowMs Of the limiter's own clock, which never goes back. */
export function countResults(
  window: ErrorWindow,
  results: WindowCounts,
  nowMs: number,
  policy: DomainPolicy,
): ErrorWindow {
  const buckets = liveBuckets(window, nowMs, policy)
  if (results.ok + results.failed + results.refused === 0) return { buckets }
  const startMs = bucketStart(nowMs, policy)
  const current = buckets.filter(([bucketMs]) => bucketMs >= startMs)
  const older = buckets.filter(([bucketMs]) => bucketMs < startMs)
  const { ok, failed, refused } = sum([...current.map(countsOf), results])
  return { buckets: [...older, [startMs, ok, failed, refused]] }
}

export function windowTotals(
  window: ErrorWindow,
  nowMs: number,
  policy: DomainPolicy,
): WindowTotals {
  const totals = sum(liveBuckets(window, nowMs, policy).map(countsOf))
  return { ...totals, total: totals.ok + totals.failed + totals.refused }
}

/** The bucket being filled is one of the window's, so what it holds is up to one bucket less than the window. */
function liveBuckets(window: ErrorWindow, nowMs: number, policy: DomainPolicy) {
  const afterMs = bucketStart(nowMs, policy) - policy.statsWindowMs
  return window.buckets.filter(([startMs]) => startMs > afterMs)
}

function bucketStart(nowMs: number, { statsBucketMs }: DomainPolicy): number {
  return Math.floor(nowMs / statsBucketMs) * statsBucketMs
}

function countsOf([, ok, failed, refused]: Bucket): WindowCounts {
  return { ok, failed, refused }
}

function sum(counts: readonly WindowCounts[]): WindowCounts {
  return counts.reduce<WindowCounts>(
    (a, b) => ({ ok: a.ok + b.ok, failed: a.failed + b.failed, refused: a.refused + b.refused }),
    { ok: 0, failed: 0, refused: 0 },
  )
}
