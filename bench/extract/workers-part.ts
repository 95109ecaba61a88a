import type { Measure } from '../limiter/stories/story.ts'
import { watchMemory } from '../worker-memory.ts'
import type { ExtractLab } from './extract-lab.ts'

const PAGE = 100
const PAGES = 400
/** Times as fast as one worker, at least. */
const LEAST_TIMES: Readonly<Record<number, number>> = { 4: 3.8, 10: 9 }
const LEAST_AT_TEN = 1_000
const MOST_MEMORY_MB = 512
/** No limit: what slows an extraction down is not the limiter. */
const FREELY = ['--rate-per-second', '1000', '--rate-per-minute', '60000', '--no-adaptive']

/** The same list by more and more workers. */
export async function measureWorkers(
  lab: ExtractLab,
  isShort: boolean,
): Promise<readonly Measure[]> {
  const items = (isShort ? 20 : PAGES) * PAGE
  const measures: Measure[] = []
  let alone = NaN
  for (const workers of [1, 4, 10, 32]) {
    const flags = ['--workers', `${workers}`, '--batch-size', `${PAGE}`, ...FREELY]
    const { durationMs } = await lab.extract(lab.service, items, flags)
    const rate = (items * 1000) / durationMs
    if (workers === 1) alone = rate
    const least = LEAST_TIMES[workers]
    measures.push({
      name: `items a second, ${workers} workers`,
      value: rate,
      unit: 'items/s',
      ...(workers === 10 ? { goal: { atLeast: LEAST_AT_TEN } } : {}),
    })
    if (workers > 1) {
      measures.push({
        name: `times one worker, ${workers} workers`,
        value: rate / alone,
        unit: '',
        ...(least === undefined ? {} : { goal: { atLeast: least } }),
      })
    }
  }
  return measures
}

/** As many and as large pages as there may be. */
export async function measureMemory(
  lab: ExtractLab,
  isShort: boolean,
): Promise<readonly Measure[]> {
  const items = isShort ? 20_000 : 200_000
  const memory = watchMemory(lab)
  const flags = ['--workers', '50', '--batch-size', '1000', ...FREELY]
  const { durationMs } = await lab.extract(lab.service, items, flags)
  return [
    { name: 'items a second', value: (items * 1000) / durationMs, unit: 'items/s' },
    {
      name: 'most memory of the worker',
      value: memory.stop(),
      unit: 'MB',
      goal: { atMost: MOST_MEMORY_MB },
    },
  ]
}
