/** A list whose server accepts twenty requests a second and tells nobody. */
import type { Measure } from '../limiter/stories/story.ts'
import { useOfHiddenLimit } from '../origin/hidden-limit.ts'
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
    return model === null ? [] : useOfHiddenLimit(log, model, fromMs, toMs)
  } finally {
    await service.close()
  }
}
