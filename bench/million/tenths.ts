/** Whether a run goes as fast at its end as at its beginning, and whether its worker grows. */
import { median } from '../median.ts'
import { groupNames, type Sample } from './run-meter.ts'
import { type YardstickMark, yardstickMs } from './yardstick.ts'

/** A tenth of the records, in the order in which they were decided. */
export interface Tenth {
  readonly fromMs: number
  readonly untilMs: number
  readonly records: number
}

export interface TenthFigures {
  /** Wall time of one record, µs: what passed, divided by what was decided meanwhile. */
  readonly wallUs: number
  /** CPU time of all our processes for one record, µs; unlike wall time it is not changed by who else is at work. */
  readonly cpuUs: number
  /** Of the worker, the median of its looks, MB. */
  readonly rssMb: number
  /** What the same work took meanwhile, ms of CPU time. */
  readonly yardstickMs: number
}

export function tenthFigures(
  tenths: readonly Tenth[],
  samples: readonly Sample[],
  marks: readonly YardstickMark[],
): readonly TenthFigures[] {
  return tenths.map(({ fromMs, untilMs, records }) => ({
    wallUs: ((untilMs - fromMs) * 1000) / records,
    cpuUs: ((cpuAt(samples, untilMs) - cpuAt(samples, fromMs)) * 1e6) / records,
    rssMb: median(
      samples
        .filter(({ atMs }) => atMs >= fromMs && atMs <= untilMs)
        .map(({ use }) => use.worker.rssMb),
    ),
    yardstickMs: yardstickMs(marks, fromMs, untilMs),
  }))
}

/** How far the one that is farthest off is from the mean, %. */
export function worstDeviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.max(...values.map((value) => Math.abs(value / mean - 1))) * 100
}

/** The last third of the tenths in comparison with the first, of which the very first is a start; %. */
export function growth(values: readonly number[]): number {
  const early = values.slice(1, 4)
  const late = values.slice(-3)
  return (median(late) / median(early) - 1) * 100
}

/** CPU seconds of all our processes up to a moment, between two looks by proportion. */
function cpuAt(samples: readonly Sample[], atMs: number): number {
  const after = samples.findIndex((sample) => sample.atMs >= atMs)
  const next = samples[after] ?? samples.at(-1)
  const before = samples[after - 1] ?? next
  if (next === undefined || before === undefined) return NaN
  const span = next.atMs - before.atMs
  const share = span === 0 ? 0 : (atMs - before.atMs) / span
  return cpuOf(before) + (cpuOf(next) - cpuOf(before)) * share
}

function cpuOf({ use }: Sample): number {
  return groupNames.reduce((sum, name) => sum + use[name].cpuS, 0)
}
