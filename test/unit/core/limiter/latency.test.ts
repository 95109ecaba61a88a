import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addLatency,
  noLatency,
  p95,
  type Latency,
  type LatencyReport,
} from '../../../../src/core/limiter/latency.ts'
import type { CallOutcome } from '../../../../src/core/limiter/permit.ts'
import { countOutcome, newTally, reportOf } from '../../../../src/core/limiter/report-tally.ts'

const one = (ms: number): LatencyReport => ({ count: 1, meanMs: ms, p95Ms: ms })
const many = (count: number, ms: number): LatencyReport => ({ count, meanMs: ms, p95Ms: ms })

/** Answers of these durations, one a second. */
function after(durationsMs: readonly number[], start = noLatency()): Latency {
  return durationsMs.reduce(
    (latency, ms) => addLatency(latency, one(ms), latency.atMs + 1000),
    start,
  )
}

/** What the limiter learns from these outcomes by way of a broker's report. */
function told(outcomes: readonly CallOutcome[], before = noLatency()): Latency {
  const tally = outcomes.reduce(
    (soFar, outcome) => countOutcome(soFar, outcome, { hasWaited: false, isRetry: false }, 0),
    newTally('lease-1', 0, 1),
  )
  return addLatency(before, reportOf(tally, 0).latency, before.atMs + 2000)
}

describe('averages', () => {
  it('know nothing before the first answer, and the first one is both', () => {
    expect(noLatency()).toMatchObject({ shortMs: null, longMs: null })
    expect(p95(noLatency())).toBeNull()
    expect(after([120])).toMatchObject({ shortMs: 120, longMs: 120 })
  })

  it('move the short one by a fifth of each difference', () => {
    expect(after([100, 200]).shortMs).toBeCloseTo(120, 9)
    expect(after([100, 200, 100]).shortMs).toBeCloseTo(116, 9)
  })

  it('a report counts like as many answers of its mean', () => {
    const start = after(Array.from({ length: 20 }, () => 100))
    const single = Array.from({ length: 5 }).reduce<Latency>(
      (latency) => addLatency(latency, one(60), latency.atMs),
      start,
    )
    const together = addLatency(start, many(5, 60), start.atMs)
    expect(together.shortMs).toBeCloseTo(single.shortMs ?? 0, 9)
    expect(together.longMs).toBeCloseTo(single.longMs ?? 0, 9)
    expect(together.recentMs).toEqual(single.recentMs)
  })

  it('V14 the long one warms up as the mean of ten answers: 10, 10.5 … 14.5', () => {
    let latency = noLatency()
    const means = Array.from({ length: 10 }, (_, index) => {
      latency = addLatency(latency, one(10 + index), 0)
      return latency.longMs
    })
    expect(means).toEqual([10, 10.5, 11, 11.5, 12, 12.5, 13, 13.5, 14, 14.5])
    expect(latency.seen).toBe(10)
  })

  it('after that the long one rises by a tenth in a minute at most, whatever happens in it', () => {
    const steady = after(Array.from({ length: 10 }, () => 100))
    let worse = steady
    for (let second = 1; second <= 60; second++) {
      worse = addLatency(worse, many(50, 5_000), steady.atMs + second * 1000)
    }
    expect(worse.longMs).toBeGreaterThan(109)
    expect(worse.longMs).toBeLessThanOrEqual(110 + 1e-6)
    expect(worse.shortMs).toBeGreaterThan(4_900)
    const idle = addLatency(steady, many(500, 5_000), steady.atMs + 86_400_000)
    expect(idle.longMs).toBeLessThanOrEqual(110 + 1e-6)
  })

  it('a server that became much faster pulls the long one down by a twentieth per slot', () => {
    const slow = after(Array.from({ length: 10 }, () => 1_000))
    const fast = addLatency(slow, many(20, 10), slow.atMs)
    const before = fast.longMs ?? 0
    expect(before).toBeGreaterThan(800)
    const usualMs = (afterMs: number) => addLatency(fast, one(10), fast.atMs + afterMs).longMs ?? 0
    expect(usualMs(2_000)).toBeCloseTo(before * 0.95, 6)
    expect(usualMs(1_500)).toBeCloseTo(before * 0.95 ** 0.75, 6)
    expect(usualMs(3_600_000)).toBeCloseTo(before * 0.95, 6)
    // Without any time passed it is only the moving average that goes on.
    expect(usualMs(0)).toBeCloseTo(before - 0.01 * (before - 10), 6)
  })
})

describe('the 95th percentile', () => {
  it('of single answers is that of the last 64', () => {
    const rising = after(Array.from({ length: 100 }, (_, index) => index + 1))
    expect(rising.recentMs).toHaveLength(64)
    expect(p95(rising)).toBe(97)
    expect(p95(after([5]))).toBe(5)
  })

  it('of one report is the one it names, and its mean is kept', () => {
    const report = { count: 20, meanMs: 200, p95Ms: 900 }
    const latency = addLatency(noLatency(), report, 0)
    expect(p95(latency)).toBe(900)
    const sum = latency.recentMs.reduce((total, ms) => total + ms, 0)
    expect(sum / 20).toBeCloseTo(200, 0)
  })

  it('is near the true one when every process reports a few answers at a time', () => {
    // A fixed, skewed series: mostly 50 to 150 ms, one in ten 800.
    const truth = Array.from({ length: 64 }, (_, i) => (i % 10 === 7 ? 800 : 50 + ((i * 37) % 100)))
    const byFour = Array.from({ length: 16 }, (_, i) => truth.slice(i * 4, i * 4 + 4))
    const latency = byFour.reduce((soFar, group) => {
      const meanMs = group.reduce((sum, ms) => sum + ms, 0) / group.length
      return addLatency(soFar, { count: 4, meanMs, p95Ms: Math.max(...group) }, 0)
    }, noLatency())
    expect(p95(latency)).toBe(truth.toSorted((a, b) => a - b)[60])
  })
})

describe('only successes are answers', () => {
  it('B20 time-outs of five seconds, however many, are no latency', () => {
    const timeOuts = Array.from({ length: 50 }, () => ({
      kind: 'overload' as const,
      latencyMs: 5_000,
    }))
    expect(told(timeOuts)).toEqual(noLatency())
    const good = told([{ kind: 'ok', latencyMs: 100 }])
    expect(told(timeOuts, good)).toEqual(good)
  })

  it('B21 errors after 10 ms do not make a server of 800 ms look fast', () => {
    const kinds = ['throttled', 'overload', 'failed', 'neutral', 'cancelled'] as const
    const errors = kinds.map((kind) => ({ kind, latencyMs: 10 }))
    const mixed = told([...errors, { kind: 'ok', latencyMs: 800 }, ...errors])
    expect(mixed).toMatchObject({ shortMs: 800, longMs: 800, recentMs: [800] })
  })
})

it('whatever is reported: averages within what was seen, a full ring of whole numbers, plain JSON', () => {
  const report = fc
    .record({ count: fc.nat(200), low: fc.nat(5_000), more: fc.nat(20_000), part: fc.nat(100) })
    .map(({ count, low, more, part }) => ({
      count,
      meanMs: count === 1 ? low + more : low + (more * part) / 100,
      p95Ms: low + more,
    }))
  fc.assert(
    fc.property(fc.array(fc.tuple(report, fc.nat(120_000)), { maxLength: 30 }), (reports) => {
      fc.pre(reports.some(([{ count }]) => count > 0))
      let latency = noLatency()
      let nowMs = 0
      for (const [next, afterMs] of reports) {
        nowMs += afterMs
        latency = addLatency(latency, next, nowMs)
      }
      const counted = reports.map(([next]) => next).filter(({ count }) => count > 0)
      const means = counted.map(({ meanMs }) => meanMs)
      for (const average of [latency.shortMs, latency.longMs]) {
        expect(average).toBeGreaterThanOrEqual(Math.min(...means) - 1e-6)
        expect(average).toBeLessThanOrEqual(Math.max(...means) + 1e-6)
      }
      const total = counted.reduce((sum, { count }) => sum + Math.min(64, count), 0)
      expect(latency.recentMs).toHaveLength(Math.min(64, total))
      expect(latency.recentMs.every((ms) => Number.isInteger(ms) && ms >= 0)).toBe(true)
      expect(p95(latency)).toBeLessThanOrEqual(Math.max(...counted.map(({ p95Ms }) => p95Ms)))
      expect(JSON.parse(JSON.stringify(latency))).toEqual(latency)
    }),
  )
})
