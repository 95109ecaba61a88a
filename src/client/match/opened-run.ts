import { setTimeout as sleep } from 'node:timers/promises'
import type { Run } from '../../db/runs.repo.ts'
import { say } from '../output.ts'
import type { MatchContext } from './match-context.ts'
import { isMatchRunning, reconciledRun } from './reconcile-run.ts'

const POLL_MS = 100
/** A worker that is there opens a run within this. */
const SOON_MS = 3_000

/**
 * The latest run of a project. A match that was started a moment ago has none yet: its worker opens it, and is waited for
 * as long as the match goes on.
 */
export async function openedRun(
  { client, db }: MatchContext,
  projectId: number,
): Promise<Run | undefined> {
  const beganMs = performance.now()
  let isTold = false
  for (;;) {
    // Before the look at the row: a run that ends in between has one by then.
    const isRunning = await isMatchRunning(client, projectId)
    const run = await reconciledRun(client, db, projectId)
    if (run?.status === 'open' || !isRunning) return run
    if (!isTold && performance.now() - beganMs > SOON_MS) {
      say('The match is started, but no worker has taken it up yet.')
      isTold = true
    }
    await sleep(POLL_MS)
  }
}
