import { activityInfo, getClient } from '@temporalio/activity'
import { matchProjectId } from '../core/workflow-ids.ts'

/** By then the cancellation would have come. */
const TOLD_BY_ATTEMPT = 2

/**
 * A child whose start is on its way when its run is cancelled is not told of it. It asks for its own cancellation, once the
 * run itself has been asked to end.
 */
export async function cancelUntold(projectId: number): Promise<void> {
  const { attempt, workflowExecution } = activityInfo()
  if (attempt < TOLD_BY_ATTEMPT || workflowExecution === undefined) return
  const { workflow } = getClient()
  const { raw } = await workflow.getHandle(matchProjectId(projectId)).describe()
  if (raw.workflowExtendedInfo?.cancelRequested !== true) return
  const { workflowId, runId } = workflowExecution
  await workflow.getHandle(workflowId, runId).cancel()
}
