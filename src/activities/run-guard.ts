import { ApplicationFailure } from '@temporalio/common'
import type { Db } from '../db/connect.ts'
import { loadRunSettings, type RunSettings } from './run-settings.ts'
import { pausedFailure, waitFailure } from './to-failure.ts'

/** The cancellation itself comes from Temporal, and ends the wait. */
const CANCELLED_WITHIN_MS = 5_000

/** The fetch guard: nothing is asked for a run that is closed, being cancelled or paused. */
export async function guardRun(db: Db, runId: number): Promise<RunSettings> {
  const loaded = await loadRunSettings(db, runId)
  if (loaded.run.status !== 'open') {
    throw ApplicationFailure.nonRetryable(`Run ${runId} is closed.`, 'run_closed')
  }
  if (loaded.run.isCancelRequested) {
    throw waitFailure('run_cancelling', `Run ${runId} is being cancelled.`, CANCELLED_WITHIN_MS)
  }
  if (loaded.run.pausedReason !== null) throw pausedFailure(loaded.run.pausedReason)
  return loaded
}
