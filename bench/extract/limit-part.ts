/** A list whose server accepts twenty requests a second and tells nobody. */
import { countBetween, usePct } from '../limiter/measure.ts'
import type { Measure } from '../limiter/stories/story.ts'
import { ANSWER_MS, type ExtractLab } from './extract-lab.ts'
import { startListService } from './list-service.ts'

const RPS = 20
const PAGE = 10
const FIRST_MS = 60_000
/** The end of a list is asked by few. */
const LAST_MS = 5_000

export async function measureLimit(lab: ExtractLab, isShort: boolean): Promise<readonly Measure[]> {
  const service = await startListService({ delayMs: ANSWER_MS, rps: RPS })
  try {
    const seconds = isShort ? 20 : 300
    const flags = ['--workers', '20', '--batch-size', `${PAGE}`]
    const rates = ['--rate-per-second', '1000', '--rate-per-minute', '60000']
    await lab.extract(service, RPS * PAGE * seconds, [...flags, ...rates])
    const { log, model } = service
    const [fromMs, toMs] = [isShort ? 0 : FIRST_MS, service.nowMs() - LAST_MS]
    const sent = countBetween(log.sentMs, fromMs, toMs)
    const refused = countBetween(log.refusedMs, fromMs, toMs)
    return [
      {
        name: 'use after the first minute',
        value: model === null ? NaN : usePct(log, model, fromMs, toMs),
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
  } finally {
    await service.close()
  }
}
