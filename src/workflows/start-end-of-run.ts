import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common'
import {
  CancellationScope,
  ParentClosePolicy,
  startChild,
  WorkflowIdReusePolicy,
} from '@temporalio/workflow'
import type { MatchProjectInput, OpenedRun } from '../core/match-run.ts'
import { endOfRunId } from '../core/workflow-ids.ts'
import { endOfRun } from './end-of-run.ts'

/**
 * Starts what is to be done after this run, if anything is, also after a cancellation. It outlives the run, the one
 * child that does: nothing waits for what it does, and its rows are its own. A reset of the run does not do it twice.
 */
export async function startEndOfRun(input: MatchProjectInput, run: OpenedRun): Promise<void> {
  if (input.options.endActionId == null) return
  await CancellationScope.nonCancellable(async () => {
    try {
      await startChild(endOfRun, {
        workflowId: endOfRunId(run.projectId, run.number),
        workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
        parentClosePolicy: ParentClosePolicy.ABANDON,
        args: [{ runId: run.runId }],
        staticSummary: `After run ${run.number} of project ${run.projectId}`,
      })
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
    }
  })
}
