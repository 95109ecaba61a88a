/** How well a limit is used that nobody was told, once it has had a minute to be found. */
import { countBetween, usePct } from '../limiter/measure.ts'
import type { Origin } from '../limiter/origins/origin.ts'
import type { DomainLog } from '../limiter/run-log.ts'
import type { Measure } from '../limiter/stories/story.ts'

export function useOfHiddenLimit(
  log: DomainLog,
  model: Origin,
  fromMs: number,
  toMs: number,
): readonly Measure[] {
  const refused = countBetween(log.refusedMs, fromMs, toMs)
  const sent = countBetween(log.sentMs, fromMs, toMs)
  return [
    {
      name: 'use after the first minute',
      value: usePct(log, model, fromMs, toMs),
      unit: '%',
      goal: { atLeast: 95 },
    },
    {
      name: 'refused per 1000 after it',
      value: (1000 * refused) / Math.max(1, sent),
      unit: '',
      goal: { atMost: 2 },
    },
  ]
}
