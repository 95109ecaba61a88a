import type { Client, WorkflowHandle } from '@temporalio/client'
import type { RecheckProjectInput } from '../../core/item-recheck.ts'
import { recheckProjectId, WORK_TASK_QUEUE } from '../../core/workflow-ids.ts'
import type { recheckProject } from '../../workflows/recheck-project.ts'

export type RecheckHandle = WorkflowHandle<typeof recheckProject>

/**
 * Starts the recheck of a project, or joins the one that goes on.
 * @param taskQueue only tests use another
 */
export async function startRecheck(
  client: Client,
  input: RecheckProjectInput,
  taskQueue: string = WORK_TASK_QUEUE,
): Promise<RecheckHandle> {
  return client.workflow.start<typeof recheckProject>('recheckProject', {
    workflowId: recheckProjectId(input.projectId),
    taskQueue,
    args: [input],
    workflowIdConflictPolicy: 'USE_EXISTING',
    staticSummary: `Recheck project ${input.projectId}`,
    staticDetails: 'Asks what has become of its matched items.',
  })
}
