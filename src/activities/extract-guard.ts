import { ApplicationFailure } from '@temporalio/common'
import type { Db } from '../db/connect.ts'
import { type ExtractRun, findExtractRun } from '../db/extract-runs.repo.ts'
import { pausedFailure, waitFailure } from './to-failure.ts'

/** The cancellation itself comes from Temporal, and ends the wait. */
const CANCELLED_WITHIN_MS = 5_000

/** An extraction that is open, paused or not. */
export async function openExtraction(db: Db, runId: number): Promise<ExtractRun> {
  const run = await findExtractRun(db, runId)
  if (run?.status === 'open') return run
  throw extractionClosed(runId)
}

/** The fetch guard: nothing is asked for a run that is closed, being cancelled or paused. */
export async function guardExtract(db: Db, runId: number): Promise<ExtractRun> {
  const run = await openExtraction(db, runId)
  assertMayAsk(runId, run)
  return run
}

/** The same for what was just read of a run. */
export function assertMayAsk(
  runId: number,
  run: Pick<ExtractRun, 'status' | 'isCancelRequested' | 'pausedReason'>,
): void {
  if (run.status !== 'open') throw extractionClosed(runId)
  if (run.isCancelRequested) {
    throw waitFailure('run_cancelling', `Run ${runId} is being cancelled.`, CANCELLED_WITHIN_MS)
  }
  if (run.pausedReason !== null) throw pausedFailure(run.pausedReason)
}

export function extractionClosed(runId: number): ApplicationFailure {
  return ApplicationFailure.nonRetryable(`Extraction ${runId} is closed.`, 'run_closed')
}
