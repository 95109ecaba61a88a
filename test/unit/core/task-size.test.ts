import { assert, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countTasks, type TaskPace, taskSizes } from '../../../src/core/task-size.ts'

const usual: TaskPace = { batchSize: 10, latencyMs: null, ratePerS: 1_000, window: 24 }

const LAST = 100_000

function requestsPerTask(requests: number, pace: Partial<TaskPace> = {}): number {
  const whole = { ...usual, ...pace }
  return taskSizes(requests * whole.batchSize, whole)(LAST) / whole.batchSize
}

describe('tasks', () => {
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
    expect(requestsPerTask(100_000, { latencyMs: 50 })).toBe(10)
    expect(requestsPerTask(100_000, { latencyMs: 1_000 })).toBe(8)
    expect(requestsPerTask(100_000, { latencyMs: 10_000 })).toBe(1)
  })
  it('knows that the tasks in flight share the rate of the domain', () => {
    expect(requestsPerTask(100_000, { latencyMs: 50, ratePerS: 3.3 })).toBe(1)
    expect(requestsPerTask(100_000, { latencyMs: 50, ratePerS: 24 })).toBe(8)
    expect(requestsPerTask(100_000, { latencyMs: 50, ratePerS: 1_000 })).toBe(10)
  })
  it('makes the tasks of a large run last 2 to 20 s wherever a request takes 0.2 to 20 s', () => {
    const latency = integer({ min: 200, max: 20_000 })
    assert(
      property(latency, integer({ min: 1, max: 100 }), (latencyMs, batchSize) => {
        const lastsMs = latencyMs * requestsPerTask(1_000_000, { latencyMs, batchSize })
        expect(lastsMs).toBeGreaterThanOrEqual(2_000)
        expect(lastsMs).toBeLessThanOrEqual(20_000)
      }),
    )
  })
  it('differ among the first ones, which would otherwise ask together and decide together', () => {
    const sizeOf = taskSizes(1_000_000, { ...usual, latencyMs: 50 })
    const requests = [0, 1, 5, 11, 12, 22, 23, 24, 500].map((nth) => sizeOf(nth) / 10)
    expect(requests).toEqual([1, 1, 3, 5, 6, 10, 10, 10, 10])
  })
  it('begin with one request and grow, as long as nobody knows what the service bears', () => {
    const unknown = { ...usual, latencyMs: 50, ratePerS: null }
    const sizeOf = taskSizes(80_000, unknown)
    const requests = [0, 23, 24, 26, 47, 48, 69, 71, 1_000_000].map((nth) => sizeOf(nth) / 10)
    expect(requests).toEqual([1, 1, 1, 1, 5, 6, 10, 10, 10])
    const growing = Array.from({ length: 48 }, (_, n) => Math.ceil((10 * (n + 1)) / 48))
    const begun = 24 + growing.reduce((sum, one) => sum + one)
    expect(countTasks(80_000, sizeOf)).toBe(3 * 24 + Math.ceil((8_000 - begun) / 10))
    expect(countTasks(0, sizeOf)).toBe(0)
    expect(countTasks(1, sizeOf)).toBe(1)
  })
})
