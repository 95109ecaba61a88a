import type { MetricMeter } from '@temporalio/common'
import type { Logger } from '../../log.ts'
import { createGaugeBoard, type Reading } from './gauge-board.ts'

export interface StandingLook {
  readonly name: string
  readonly read: () => Promise<readonly Reading[]>
}

const LOOK_EVERY_MS = 15_000
/** Looking at a very large database must not become its work: it takes at most so large a part of the time. */
const LARGEST_SHARE = 0.05

/**
 * Looks again and again how things stand, and tells it. One look that fails leaves the others alone; its gauges keep
 * their value meanwhile.
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
  const look = async (): Promise<void> => {
    const startedAtMs = performance.now()
    for (const { name, read } of looks) {
      try {
        board.tell(name, await read())
      } catch (error) {
        log.debug({ err: error, look: name }, 'What a metric shows is not known at the moment.')
      }
    }
    const tookMs = performance.now() - startedAtMs
    const waitMs = Math.max(LOOK_EVERY_MS, tookMs / LARGEST_SHARE)
    if (!isOver) timer = setTimeout(() => void look(), waitMs)
  }
  void look()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
