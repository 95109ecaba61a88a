/** How many requests a second a server really took on, smoothed over half-second buckets (AWS retry mode "adaptive"). */

export interface RateMeter {
  /** Requests per second; 0 before a bucket is full. */
  readonly rps: number
  /** Where the bucket began that is being filled. */
  readonly bucketMs: number
  readonly count: number
}

const BUCKET_MS = 500
/** Weight of the newest bucket. */
const NEWEST = 0.8

export function newMeter(nowMs: number): RateMeter {
  return { rps: 0, bucketMs: bucketOf(nowMs), count: 0 }
}

/** The first count of a later bucket closes the one before, however long that was, and is part of it. */
export function countSent(meter: RateMeter, sent: number, nowMs: number): RateMeter {
  const count = meter.count + sent
  const bucketMs = bucketOf(nowMs)
  if (bucketMs <= meter.bucketMs) return { ...meter, count }
  const latest = (count * 1000) / (bucketMs - meter.bucketMs)
  return { rps: NEWEST * latest + (1 - NEWEST) * meter.rps, bucketMs, count: 0 }
}

function bucketOf(nowMs: number): number {
  return Math.floor(nowMs / BUCKET_MS) * BUCKET_MS
}
