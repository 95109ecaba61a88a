import { standingMetrics } from '../../core/metrics/standing-metrics.ts'
import type { QueueDepth } from '../../db/queue-depths.repo.ts'
import type { Reading } from './gauge-board.ts'

/** @param labelOf The label of a queue; what has the same one is added up. */
export function queueReadings(
  depths: readonly QueueDepth[],
  labelOf: (queue: string) => string,
): readonly Reading[] {
  const readings = new Map<string, Reading>()
  for (const { queue: name, state, jobs } of depths) {
    const queue = labelOf(name)
    const key = `${queue} ${state}`
    const value = (readings.get(key)?.value ?? 0) + jobs
    readings.set(key, { metric: standingMetrics.downloadDepth, value, labels: { queue, state } })
  }
  return [...readings.values()]
}
