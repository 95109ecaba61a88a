import {
  CancellationScope,
  isCancellation,
  proxyActivities,
  startChild,
} from '@temporalio/workflow'
import type { RunActivities } from '../activities/activity-contracts.ts'
import type { MatchTaskInput } from '../core/match-run.ts'
import { matchTaskId } from '../core/workflow-ids.ts'
import { databaseProfile } from './activity-options.ts'
import {
  awaitedChild,
  type ChildrenInFlight,
  runChild,
  type RunNews,
} from './children-in-flight.ts'
import { failureText } from './failure-text.ts'
import { matchTask } from './match-task.ts'

const { failTask } = proxyActivities<RunActivities>(databaseProfile)

/**
 * Runs one task as a child and awaits it. A task that was terminated or broke is recorded: what it left queued becomes
 * FAILED with a code, for `retry-failed`.
 * @throws only the cancellation of this workflow.
 */
export async function runMatchTask(
  children: ChildrenInFlight,
  input: Omit<MatchTaskInput, 'resumes'>,
  news: () => RunNews,
): Promise<void> {
  const { run, task } = input
  try {
    await runChild(children, {
      id: matchTaskId(run.projectId, run.number, task),
      news,
      start: (workflowId, { resumes }) =>
        startChild(matchTask, {
          ...awaitedChild,
          workflowId,
          args: [{ ...input, resumes }],
          staticSummary: `Task ${task} of run ${run.number}, project ${run.projectId}`,
        }),
    })
  } catch (error) {
    if (isCancellation(error) && CancellationScope.current().consideredCancelled) throw error
    await failTask({ runId: run.runId, task, ...failureText(error) })
  }
}
