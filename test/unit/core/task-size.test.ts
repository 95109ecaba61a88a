import { assert, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lookupsPerTask, type TaskPace } from '../../../src/core/task-size.ts'

const usual: TaskPace = { batchSize: 10, latencyMs: null, ratePerS: 1_000, window: 24 }

function requestsPerTask(requests: number, pace: Partial<TaskPace> = {}): number {
  const whole = { ...usual, ...pace }
  return lookupsPerTask(requests * whole.batchSize, whole) / whole.batchSize
}

describe('lookupsPerTask', () => {
  it('is one request in a small run', () => {
    expect(requestsPerTask(0)).toBe(1)
    expect(requestsPerTask(140)).toBe(1)
    expect(requestsPerTask(140, { latencyMs: 1 })).toBe(1)
  })
  it('grows with the run, but leaves every place of the window several tasks', () => {
    expect(requestsPerTask(144)).toBe(2)
    expect(requestsPerTask(720)).toBe(10)
    expect(requestsPerTask(720, { window: 500 })).toBe(1)
  })
  it('takes seconds: many requests of a quick service, few of a slow one', () => {
    expect(requestsPerTask(100_000, { latencyMs: 50 })).toBe(20)
    expect(requestsPerTask(100_000, { latencyMs: 1_000 })).toBe(8)
    expect(requestsPerTask(100_000, { latencyMs: 10_000 })).toBe(1)
  })
  it('knows that the tasks in flight share the rate of the domain', () => {
    expect(requestsPerTask(100_000, { latencyMs: 50, ratePerS: 3.3 })).toBe(1)
    expect(requestsPerTask(100_000, { latencyMs: 50, ratePerS: 24 })).toBe(8)
    expect(requestsPerTask(100_000, { latencyMs: 50, ratePerS: 1_000 })).toBe(20)
  })
  it('takes few as long as nobody knows what the service bears, so that the first records are decided soon', () => {
    expect(requestsPerTask(100_000, { latencyMs: 50, ratePerS: null })).toBe(3)
    expect(requestsPerTask(100_000, { ratePerS: null })).toBe(3)
  })
  it('makes the tasks of a large run last 2 to 20 s wherever a request takes 0.1 to 20 s', () => {
    const latency = integer({ min: 100, max: 20_000 })
    assert(
      property(latency, integer({ min: 1, max: 100 }), (latencyMs, batchSize) => {
        const lastsMs = latencyMs * requestsPerTask(1_000_000, { latencyMs, batchSize })
        expect(lastsMs).toBeGreaterThanOrEqual(2_000)
        expect(lastsMs).toBeLessThanOrEqual(20_000)
      }),
    )
  })
})
