import {
  ApplicationFailure,
  CancellationScope,
  ChildWorkflowFailure,
  isCancellation,
  proxyActivities,
  rootCause,
  startChild,
  TerminatedFailure,
  TimeoutFailure,
} from '@temporalio/workflow'
import type { RunActivities } from '../activities/activity-contracts.ts'
import type { MatchTaskInput } from '../core/match-run.ts'
import { matchTaskId } from '../core/workflow-ids.ts'
import { databaseProfile } from './activity-options.ts'
import { awaitedChild, type ChildrenInFlight, runChild } from './children-in-flight.ts'
import { matchTask } from './match-task.ts'

const { failTask } = proxyActivities<RunActivities>(databaseProfile)

/**
 * Runs one task as a child and awaits it. A task that was terminated or broke is recorded: what it left queued becomes
 * FAILED with a code, for `retry-failed`.
 * @throws only the cancellation of this workflow.
 */
export async function runMatchTask(
  children: ChildrenInFlight,
  input: MatchTaskInput,
): Promise<void> {
  const { run, task } = input
  try {
    await runChild(children, matchTaskId(run.projectId, run.number, task), (workflowId) =>
      startChild(matchTask, {
        ...awaitedChild,
        workflowId,
        args: [input],
        staticSummary: `Task ${task} of run ${run.number}, project ${run.projectId}`,
      }),
    )
  } catch (error) {
    if (isCancellation(error) && CancellationScope.current().consideredCancelled) throw error
    await failTask({ runId: run.runId, task, ...taskFailure(error) })
  }
}

function taskFailure(error: unknown): { code: string; message: string } {
  const cause = error instanceof ChildWorkflowFailure ? error.cause : error
  if (cause instanceof TerminatedFailure) {
    return { code: 'terminated', message: 'The task was terminated by hand.' }
  }
  if (cause instanceof TimeoutFailure) {
    return { code: 'timed_out', message: 'The task ran into its time limit.' }
  }
  if (isCancellation(cause)) {
    return { code: 'task_cancelled', message: 'The task alone was cancelled by hand.' }
  }
  return {
    code: innermostType(cause) ?? 'internal_error',
    message: rootCause(cause) ?? 'The task failed without a message.',
  }
}

function innermostType(error: unknown): string | undefined {
  let found: string | undefined
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at instanceof ApplicationFailure) found = at.type ?? found
  }
  return found
}
