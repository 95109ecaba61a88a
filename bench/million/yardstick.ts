/**
 * How fast the machine itself is, from moment to moment: a process does the same work twice a second. Processors that are
 * shared with strangers change their speed within minutes, and a run of minutes cannot be compared with itself without
 * knowing it.
 */
import { fork } from 'node:child_process'
import { median } from '../median.ts'

/** What the same work took once. */
export interface YardstickMark {
  readonly atMs: number
  /** Processor time, ms. */
  readonly cpuMs: number
}

export interface Yardstick {
  /** In order of time. */
  readonly marks: readonly YardstickMark[]
  readonly stop: () => void
}

/** Takes some 1 % of one core. One that ends early makes no marks any more, and stops nothing else. */
export function startYardstick(): Yardstick {
  const marks: YardstickMark[] = []
  const child = fork(new URL('./yardstick-process.mjs', import.meta.url))
  child.on('message', (mark: YardstickMark) => void marks.push(mark))
  child.on('error', () => undefined)
  return {
    marks,
    stop: () => {
      if (child.connected) child.disconnect()
    },
  }
}

/** What the same work took between two moments, the median; NaN when it was not done meanwhile. */
export function yardstickMs(
  marks: readonly YardstickMark[],
  fromMs: number,
  untilMs: number,
): number {
  const during = marks.filter(({ atMs }) => atMs >= fromMs && atMs <= untilMs)
  return during.length === 0 ? NaN : median(during.map(({ cpuMs }) => cpuMs))
}
