/** What a look at a run costs while it goes on, taken again and again. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../src/db/connect.ts'
import { countProject, runStanding } from '../../src/db/run-progress.repo.ts'
import { runReport } from '../../src/db/run-report.ts'
import { latestRun } from '../../src/db/runs.repo.ts'

export interface Looks {
  /** Each look of the line of progress, s. */
  readonly progressS: readonly number[]
  /** Each `status`, s: the counts of the project and the requests of the run beside it. */
  readonly statusS: readonly number[]
}

const EVERY_MS = 15_000

export function startLooking(
  db: Db,
  projectId: number,
  say: (text: string) => void,
): { readonly stop: () => Promise<Looks> } {
  const progressS: number[] = []
  const statusS: number[] = []
  const stopping = new AbortController()
  const look = async (): Promise<void> => {
    const run = await latestRun(db, projectId)
    if (run === undefined) return
    const startedMs = performance.now()
    const { finished, records } = await runStanding(db, run.id)
    const standingMs = performance.now()
    await runReport(db, projectId, await countProject(db, projectId), run, true)
    progressS.push((standingMs - startedMs) / 1000)
    statusS.push((performance.now() - startedMs) / 1000)
    say(`${finished} of ${records} records`)
  }
  const looking = (async () => {
    while (!stopping.signal.aborted) {
      await sleep(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
      await look()
    }
  })()
  return {
    stop: async () => {
      stopping.abort()
      await looking
      return { progressS, statusS }
    },
  }
}
