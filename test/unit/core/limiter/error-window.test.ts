import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  countResults,
  emptyWindow,
  windowTotals,
  type ErrorWindow,
} from '../../../../src/core/limiter/error-window.ts'
import { defaultPolicy } from '../../../../src/core/limiter/policy.ts'

const policy = { ...defaultPolicy('example.org'), statsWindowMs: 5_000, statsBucketMs: 1_000 }
const none = { ok: 0, failed: 0, refused: 0 }
const success = { ...none, ok: 1 }
const failure = { ...none, failed: 1 }

describe('step 4: the published runs of a window of five one-second buckets', () => {
  it('V15 first run: an event counts until its bucket, the fifth before now, leaves', () => {
    let window = countResults(emptyWindow(), failure, 0, policy)
    window = countResults(window, success, 100, policy)
    window = countResults(window, failure, 800, policy)
    expect(windowTotals(window, 800, policy)).toEqual({ ok: 1, failed: 2, refused: 0, total: 3 })
    expect(windowTotals(window, 4_800, policy)).toMatchObject({ failed: 2, total: 3 })
    expect(windowTotals(window, 5_800, policy)).toMatchObject({ failed: 0, total: 0 })
    window = countResults(window, success, 5_800, policy)
    expect(windowTotals(window, 5_800, policy).total).toBe(1)
    window = countResults(window, success, 10_800, policy)
    expect(windowTotals(window, 10_800, policy).total).toBe(1)
  })

  it('V15 second run: total and failed after each step', () => {
    const steps = [
      [0, failure],
      [100, success],
      [100, success],
      [1_000, success],
      [1_000, success],
      [1_000, failure],
      [1_000, success, 7, 2],
      [1_000, success, 5, 1],
      [1_000, success, 5, 1],
      [5_000, success, 1, 0],
    ] as const
    let window = emptyWindow()
    let nowMs = 0
    for (const [afterMs, results, total, failed] of steps) {
      nowMs += afterMs
      window = countResults(window, results, nowMs, policy)
      if (total === undefined) continue
      expect(windowTotals(window, nowMs, policy), `at ${nowMs} ms`).toMatchObject({ total, failed })
    }
  })
})

it('B3 a pause ages the window by the time that passed, not by one bucket', () => {
  const before = countResults(emptyWindow(), { ...none, failed: 4 }, 0, policy)
  const after = countResults(before, failure, 300_000, policy)
  expect(windowTotals(after, 300_000, policy)).toEqual({ ...none, failed: 1, total: 1 })
})

it('refusals are counted apart from failures', () => {
  const window = countResults(emptyWindow(), { ok: 5, failed: 1, refused: 2 }, 0, policy)
  expect(windowTotals(window, 0, policy)).toEqual({ ok: 5, failed: 1, refused: 2, total: 8 })
})

describe('whatever is counted', () => {
  const counts = fc.record({ ok: fc.nat(9), failed: fc.nat(9), refused: fc.nat(9) })
  const history = fc.array(fc.tuple(fc.nat(4_000), counts), { maxLength: 60 })
  const count = (steps: readonly (readonly [number, typeof none])[]) => {
    let nowMs = 0
    let window: ErrorWindow = emptyWindow()
    const all = steps.map(([afterMs, results]) => {
      nowMs += afterMs
      window = countResults(window, results, nowMs, policy)
      return { atMs: nowMs, results }
    })
    return { nowMs, window, all }
  }

  it('the totals are exactly what happened within the window, to a bucket', () => {
    fc.assert(
      fc.property(history, fc.nat(8_000), (steps, laterMs) => {
        const { nowMs, window, all } = count(steps)
        const readMs = nowMs + laterMs
        const firstMs = Math.floor(readMs / 1_000) * 1_000 - 4_000
        const live = all.filter(({ atMs }) => atMs >= firstMs).map(({ results }) => results)
        const sum = (key: keyof typeof none) => live.reduce((total, one) => total + one[key], 0)
        const totals = windowTotals(window, readMs, policy)
        expect(totals).toMatchObject({ ok: sum('ok'), failed: sum('failed') })
        expect(totals.refused).toBe(sum('refused'))
        expect(totals.total).toBe(totals.ok + totals.failed + totals.refused)
      }),
    )
  })

  it('the window stays small, and is plain JSON', () => {
    fc.assert(
      fc.property(history, (steps) => {
        const { window } = count(steps)
        expect(window.buckets.length).toBeLessThanOrEqual(5)
        expect(JSON.parse(JSON.stringify(window))).toEqual(window)
      }),
    )
  })

  it('other bucket sizes by a new policy lose nothing and invent nothing', () => {
    const { window, nowMs } = count([
      [0, success],
      [1_500, failure],
    ])
    const coarse = { ...policy, statsWindowMs: 30_000, statsBucketMs: 2_000 }
    const next = countResults(window, success, nowMs + 100, coarse)
    expect(windowTotals(next, nowMs + 100, coarse)).toMatchObject({ ok: 2, failed: 1, total: 3 })
    expect(windowTotals(next, nowMs + 60_000, coarse).total).toBe(0)
  })
})
