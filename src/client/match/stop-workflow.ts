import { type Client, WorkflowNotFoundError } from '@temporalio/client'

/** Stops a workflow about the items of a project within seconds. @returns false: none goes on */
export async function stopWorkflow(client: Client, workflowId: string): Promise<boolean> {
  const handle = client.workflow.getHandle(workflowId)
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
