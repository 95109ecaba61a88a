import type { Client, WorkflowHandle } from '@temporalio/client'
import type { ExtendProjectInput } from '../../core/item-extension.ts'
import { extendProjectId, WORK_TASK_QUEUE } from '../../core/workflow-ids.ts'
import type { extendProject } from '../../workflows/extend-project.ts'

export type ExtensionHandle = WorkflowHandle<typeof extendProject>

/**
 * Starts the extension of a project, or joins the one that goes on, which may be about other properties.
 * @param taskQueue only tests use another
 */
export async function startExtension(
  client: Client,
  input: ExtendProjectInput,
  taskQueue: string = WORK_TASK_QUEUE,
): Promise<ExtensionHandle> {
  return client.workflow.start<typeof extendProject>('extendProject', {
    workflowId: extendProjectId(input.projectId),
    taskQueue,
    args: [input],
    workflowIdConflictPolicy: 'USE_EXISTING',
    staticSummary: `Extend project ${input.projectId}`,
    staticDetails: `Fetches ${input.properties.join(', ')} of its matched items.`,
  })
}
