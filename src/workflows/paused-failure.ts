import { ApplicationFailure, isCancellation } from '@temporalio/workflow'
import { RUN_PAUSED } from '../core/match-run.ts'

/** The reason carried by an activity's `run_paused` failure; undefined for any other error. */
export function pausedReasonOf(error: unknown): string | undefined {
  if (isCancellation(error) || !(error instanceof Error)) return undefined
  const cause = error.cause ?? error
  if (!(cause instanceof ApplicationFailure) || cause.type !== RUN_PAUSED) return undefined
  return cause.message
}
