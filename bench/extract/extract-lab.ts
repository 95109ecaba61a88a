import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Lab, openLab } from '../origin/lab.ts'
import { type ListService, startListService } from './list-service.ts'

/** Of each answer of the list. */
export const ANSWER_MS = 100

export interface ExtractLab extends Pick<Lab, 'run' | 'workerPids' | 'close'> {
  /** Has no limit. */
  readonly service: ListService
  /** Extracts a list of so many items into a dataset of its own, by the command. @param flags of `extract start` */
  readonly extract: (
    service: ListService,
    items: number,
    flags: readonly string[],
  ) => Promise<Extracted>
}

/** Of the report of `extract start -o json`. */
export interface Extracted {
  readonly items: number
  readonly durationMs: number
}

/** One worker process on servers of its own. */
export async function openExtractLab(): Promise<ExtractLab> {
  const lab = await openLab(1)
  const service = await startListService({ delayMs: ANSWER_MS })
  const folder = mkdtempSync(join(tmpdir(), 'record-linker-extract-'))
  let lists = 0
  await lab.restoreWorkers()
  return {
    run: lab.run,
    workerPids: lab.workerPids,
    service,
    async extract(from, items, flags) {
      const name = `list-${++lists}`
      const profile = join(folder, `${name}.json`)
      writeFileSync(profile, JSON.stringify(from.profile(items)))
      const what = ['--profile', profile, '--dataset', name, '-o', 'json']
      const report: unknown = JSON.parse(await lab.run('extract', 'start', ...what, ...flags))
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- CONTRACTS: our own report
      const extracted = report as Extracted
      if (extracted.items === items) return extracted
      throw new Error(`${extracted.items} items were extracted, expected ${items}`)
    },
    async close() {
      rmSync(folder, { recursive: true, force: true })
      await service.close()
      await lab.close()
    },
  }
}
