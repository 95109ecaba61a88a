import { type Client, type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client'
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

/** Stops it within seconds. @returns false: none goes on */
export async function stopExtension(client: Client, projectId: number): Promise<boolean> {
  const handle = client.workflow.getHandle<typeof extendProject>(extendProjectId(projectId))
  try {
    const { status } = await handle.describe()
    if (status.name !== 'RUNNING') return false
    await handle.cancel()
    await handle.result().catch(() => undefined)
    return true
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false
    throw error
  }
}
