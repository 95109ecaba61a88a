import { expect, test } from 'vitest'
import type { Sample } from '../../../../bench/million/run-meter.ts'
import { growth, tenthFigures, worstDeviation } from '../../../../bench/million/tenths.ts'

const idle = { rssMb: 0, cpuS: 0 }

function sample(atMs: number, cpuS: number, rssMb: number): Sample {
  const use = {
    worker: { rssMb, cpuS },
    postgres: idle,
    temporal: idle,
    command: idle,
    service: idle,
  }
  return { atMs, use, machineS: 0 }
}

test('a tenth tells the wall time and the CPU time of one of its records, and the memory of the worker', () => {
  const samples = [sample(0, 0, 100), sample(1_000, 1, 110), sample(2_000, 3, 120)]
  const tenths = [
    { fromMs: 0, untilMs: 1_000, records: 1_000 },
    { fromMs: 1_000, untilMs: 1_500, records: 1_000 },
  ]
  const marks = [
    { atMs: 100, cpuMs: 9 },
    { atMs: 600, cpuMs: 11 },
    { atMs: 1_200, cpuMs: 20 },
  ]
  expect(tenthFigures(tenths, samples, marks)).toEqual([
    { wallUs: 1_000, cpuUs: 1_000, rssMb: 105, yardstickMs: 10 },
    { wallUs: 500, cpuUs: 1_000, rssMb: 110, yardstickMs: 20 },
  ])
})

test('the deviation is that of the one farthest from the mean, below or above it', () => {
  expect(worstDeviation([100, 100, 70, 130])).toBeCloseTo(30)
  expect(worstDeviation([100, 100, 100, 60])).toBeCloseTo(33.3, 1)
})

test('growth leaves the first tenth out, which is a start', () => {
  expect(growth([10, 200, 200, 200, 200, 200, 200, 220, 220, 220])).toBeCloseTo(10)
})
