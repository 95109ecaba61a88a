import { describe, expect, it } from 'vitest'
import { lookupsPerTask } from '../../../src/core/task-size.ts'

describe('lookupsPerTask', () => {
  it('is one request in a small run', () => {
    expect(lookupsPerTask(0, 10)).toBe(10)
    expect(lookupsPerTask(5_000, 10)).toBe(10)
  })
  it('grows with the run, to twenty requests at most', () => {
    expect(lookupsPerTask(10_000, 10)).toBe(20)
    expect(lookupsPerTask(1_000_000, 50)).toBe(1_000)
    expect(lookupsPerTask(1_000_000, 10)).toBe(200)
  })
})
