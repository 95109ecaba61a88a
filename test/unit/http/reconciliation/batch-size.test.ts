import { describe, expect, it } from 'vitest'
import {
  afterGoodBatch,
  afterSlowBatch,
  afterTooLargeBatch,
  type BatchSize,
  startingBatchSize,
} from '../../../../src/http/reconciliation/batch-size.ts'

const good = (size: BatchSize, batches: number): BatchSize =>
  Array.from({ length: batches }).reduce<BatchSize>((s) => afterGoodBatch(s, s.limit), size)

describe('batch size', () => {
  it('is unlimited until something is learned, and begins at what was learned before', () => {
    expect(startingBatchSize().limit).toBe(Infinity)
    expect(afterGoodBatch(startingBatchSize(), 10).limit).toBe(Infinity)
    expect(startingBatchSize(5).limit).toBe(5)
    expect(startingBatchSize(0).limit).toBe(1)
  })

  it('halves down to one; a single slow query says nothing', () => {
    let size = startingBatchSize()
    const limits = [10, 5, 2, 1].map((queries) => {
      size = afterSlowBatch(size, queries)
      return size.limit
    })
    expect(limits).toEqual([5, 2, 1, 1])
  })

  it('grows again after an outage, in steps of five full batches', () => {
    const size = afterSlowBatch(startingBatchSize(), 10)
    expect(good(size, 4).limit).toBe(5)
    expect(good(size, 5).limit).toBe(10)
    // Smaller rest batches prove nothing.
    expect(afterGoodBatch(good(size, 4), 3).limit).toBe(5)
  })

  it('tries less and less often when growing fails', () => {
    const trial = good(afterSlowBatch(startingBatchSize(), 10), 5)
    const failed = afterSlowBatch(trial, 10)
    expect(failed.limit).toBe(5)
    expect(good(failed, 9).limit).toBe(5)
    expect(good(failed, 10).limit).toBe(10)
  })

  it('never grows again above what the service called too large', () => {
    const size = afterTooLargeBatch(startingBatchSize(), 10)
    expect(good(size, 100).limit).toBe(5)
    const outage = afterSlowBatch(size, 5)
    expect(outage.limit).toBe(2)
    expect(good(outage, 100).limit).toBe(5)
  })
})
