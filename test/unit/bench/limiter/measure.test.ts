import { expect, test } from 'vitest'
import {
  capacity,
  secondsUntilPart,
  secondsUntilQuiet,
  usePct,
  worstJain,
} from '../../../../bench/limiter/measure.ts'
import type { Origin } from '../../../../bench/limiter/origins/origin.ts'
import { unavailable } from '../../../../bench/limiter/origins/troubled.ts'
import { DomainLog } from '../../../../bench/limiter/run-log.ts'

const tenPerSecond: Origin = { rateAt: () => 10, arrive: () => unavailable }

test('use is what was accepted of what could have been', () => {
  const log = accepted(0, 100_000, 200)
  expect(usePct(log, tenPerSecond, 0, 100_000)).toBe(50)
  expect(usePct(log, tenPerSecond, 50_000, 100_000)).toBe(50)
})

test('nothing could have been accepted while the origin was shut', () => {
  const origin: Origin = { ...tenPerSecond, rateAt: (ms) => (ms < 30_000 ? 0 : 10) }
  expect(capacity(origin, 0, 60_000)).toBe(300)
})

test('a rate is reached when ten seconds had it', () => {
  const log = accepted(60_000, 120_000, 100)
  expect(secondsUntilPart(log, tenPerSecond, 0.9, 0)).toBeCloseTo(68.9, 0)
  expect(secondsUntilPart(log, tenPerSecond, 0.9, 60_000)).toBeCloseTo(8.9, 0)
  expect(secondsUntilPart(accepted(0, 60_000, 200), tenPerSecond, 0.9, 0)).toBe(Infinity)
})

test('of a slow origin the last twenty requests count', () => {
  const slow: Origin = { ...tenPerSecond, rateAt: () => 1 }
  expect(secondsUntilPart(accepted(0, 60_000, 1_000), slow, 0.9, 0)).toBe(17)
})

test('refusals have ended with the last before a long pause', () => {
  const log = new DomainLog()
  log.refusedMs.push(1_000, 10_000, 12_000, 24_000, 90_000)
  expect(secondsUntilQuiet(log, 5_000, 15_000)).toBe(19)
  expect(secondsUntilQuiet(log, 30_000, 15_000)).toBe(0)
})

test('fairness is that of the worst window, each part divided by its weight', () => {
  const log = new DomainLog()
  const put = (atMs: number, project: string, units: number): void =>
    void log.accepted.push({ atMs, project, units, worker: 'w1' })
  put(0, 'a', 30)
  put(1, 'b', 10)
  put(1_000, 'a', 20)
  put(1_001, 'b', 20)
  const window = { fromMs: 0, toMs: 2_000, lengthMs: 1_000 }
  const jain = (weightOf?: (key: string) => number): number =>
    worstJain(log, ({ project }) => project, ['a', 'b'], window, weightOf)
  expect(jain()).toBeCloseTo(0.8)
  expect(jain((key) => (key === 'a' ? 3 : 1))).toBeCloseTo(0.8)
  expect(worstJain(log, ({ project }) => project, ['a', 'b', 'c'], window)).toBeCloseTo(0.533, 2)
})

function accepted(fromMs: number, toMs: number, everyMs: number): DomainLog {
  const log = new DomainLog()
  for (let atMs = fromMs; atMs < toMs; atMs += everyMs) {
    log.accepted.push({ atMs, units: 1, project: '1', worker: 'w1' })
  }
  return log
}
