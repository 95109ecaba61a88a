/**
 * How many queries a service takes in one batch, learned from its answers. Pure.
 *
 * UNKNOWN (limit infinite)  what the caller and the manifest allow
 *   │ 413, 414, body too large          ─▶ CAPPED: half of that batch, for good
 *   │ 502, 504, time-out                ─▶ LEARNED: half of that batch, and on down
 * LEARNED ── enough good full batches   ─▶ doubled, as a trial: the slowness may have been an outage
 *   trial fails                         ─▶ halved again, and twice as many good batches before the next
 *
 * A single query that fails says nothing about size.
 */

export interface BatchSize {
  /** Queries per batch; infinite as long as nothing was learned. */
  readonly limit: number
  /** Never grown above. */
  readonly cap: number
  /** Full batches answered since the last change. */
  readonly goodBatches: number
  readonly goodBatchesToGrow: number
  /** The present limit is a trial that has not yet succeeded. */
  readonly onTrial: boolean
}

const firstGrowthAfter = 5
const longestGrowthAfter = 1_000

/** @param limit What was learned earlier, if anything. */
export function startingBatchSize(limit = Number.POSITIVE_INFINITY): BatchSize {
  return {
    limit: Math.max(1, limit),
    cap: Number.POSITIVE_INFINITY,
    goodBatches: 0,
    goodBatchesToGrow: firstGrowthAfter,
    onTrial: false,
  }
}

/** A batch of `queries` was answered. */
export function afterGoodBatch(size: BatchSize, queries: number): BatchSize {
  if (queries < size.limit) return size
  const goodBatches = size.goodBatches + 1
  const limit = Math.min(size.cap, size.limit * 2)
  const grows = goodBatches >= size.goodBatchesToGrow && limit > size.limit
  return grows
    ? { ...size, limit, goodBatches: 0, onTrial: true }
    : { ...size, goodBatches, onTrial: false }
}

/** A batch of `queries` came to nothing in a way that a smaller one may not. */
export function afterSlowBatch(size: BatchSize, queries: number): BatchSize {
  if (queries <= 1) return size
  return {
    ...size,
    limit: Math.min(size.limit, Math.floor(queries / 2)),
    goodBatches: 0,
    goodBatchesToGrow: size.onTrial
      ? Math.min(size.goodBatchesToGrow * 2, longestGrowthAfter)
      : size.goodBatchesToGrow,
    onTrial: false,
  }
}

/** The service said that a batch of `queries` is too large. */
export function afterTooLargeBatch(size: BatchSize, queries: number): BatchSize {
  const smaller = afterSlowBatch(size, queries)
  return { ...smaller, cap: Math.min(smaller.cap, smaller.limit) }
}
