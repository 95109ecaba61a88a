import { setTimeout as sleep } from 'node:timers/promises'
import type { MetricMeter } from '@temporalio/common'
import type { Logger } from '../../log.ts'
import { createGaugeBoard, type Reading } from './gauge-board.ts'

export interface StandingLook {
  readonly name: string
  readonly read: () => Promise<readonly Reading[]>
  /** What a look that fails shows; else its gauges keep their value. */
  readonly whenFailed?: readonly Reading[]
}

const LOOK_EVERY_MS = 15_000
/** Looking at a very large database must not become its work: it takes at most so large a part of the time. */
const LARGEST_SHARE = 0.05
/** A connection may hang for as long as TCP has patience; such a look has failed. */
const LONGEST_LOOK_MS = 5_000
/** However long a look took: most of it may have been waiting. */
const LONGEST_WAIT_MS = 120_000

/**
 * Looks again and again how things stand, and tells it. One look that fails leaves the others alone.
 * @returns ends it
 */
export function watchStanding(
  meter: Pick<MetricMeter, 'createGauge'>,
  looks: readonly StandingLook[],
  log: Pick<Logger, 'debug'>,
): () => void {
  const board = createGaugeBoard(meter)
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const hanging = new Set<string>()
  const readInTime = async ({ name, read }: StandingLook): Promise<readonly Reading[]> => {
    if (hanging.has(name)) throw new Error('The look before this one has not ended yet.')
    hanging.add(name)
    const reading = read().finally(() => hanging.delete(name))
    // Once it is too late nobody else hears of it.
    reading.catch(() => undefined)
    const ending = new AbortController()
    const { signal } = ending
    const late = sleep(LONGEST_LOOK_MS, undefined, { signal, ref: false }).then(() => {
      throw new Error(`It took longer than ${LONGEST_LOOK_MS} ms.`)
    })
    try {
      return await Promise.race([reading, late])
    } finally {
      late.catch(() => undefined)
      ending.abort()
    }
  }
  const look = async (): Promise<void> => {
    const startedAtMs = performance.now()
    for (const one of looks) {
      const { name, whenFailed } = one
      try {
        board.tell(name, await readInTime(one))
      } catch (error) {
        if (whenFailed !== undefined) board.tell(name, whenFailed)
        log.debug({ err: error, look: name }, 'What a metric shows is not known at the moment.')
      }
    }
    const tookMs = performance.now() - startedAtMs
    const waitMs = Math.min(LONGEST_WAIT_MS, Math.max(LOOK_EVERY_MS, tookMs / LARGEST_SHARE))
    if (!isOver) timer = setTimeout(() => void look(), waitMs)
  }
  void look()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
