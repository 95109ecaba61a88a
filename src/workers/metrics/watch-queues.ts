import type { MetricMeter } from '@temporalio/common'
import { type QueueDepth, queueDepths } from '../../db/queue-depths.repo.ts'
import type { Db } from '../../db/connect.ts'
import type { Logger } from '../../log.ts'

const LOOK_EVERY_MS = 15_000

/**
 * Tells how much waits in each queue of files. Every worker tells the same: take the highest, not the sum.
 * @returns ends it
 */
export function watchQueues(meter: MetricMeter, db: Db, log: Logger): () => void {
  const depth = meter.createGauge(
    'contentdownload_queue_depth',
    'int',
    undefined,
    'Files that wait, or are on their way',
  )
  let told: readonly QueueDepth[] = []
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const look = async (): Promise<void> => {
    try {
      const now = await queueDepths(db)
      const isTold = (one: QueueDepth) =>
        now.some(({ queue, state }) => queue === one.queue && state === one.state)
      const gone = told.filter((one) => !isTold(one)).map((one) => ({ ...one, jobs: 0 }))
      for (const { queue, state, jobs } of [...now, ...gone]) depth.set(jobs, { queue, state })
      told = now
    } catch (error) {
      log.debug({ err: error }, 'How much waits in queues is not known at the moment.')
    }
    if (!isOver) timer = setTimeout(() => void look(), LOOK_EVERY_MS)
  }
  void look()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
