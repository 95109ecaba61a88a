import type { Client, Workflow, WorkflowHandle } from '@temporalio/client'
import { firstRunId } from './first-run-id.ts'
import { isNotFound } from './is-not-found.ts'

/** One execution of a workflow, with all that it continues as. The next start under the same id is another one. */
export interface RunningExecution<T extends Workflow> {
  /** Its row carries it. */
  readonly firstRunId: string
  /** Follows it to its end. */
  readonly handle: WorkflowHandle<T>
  /**
   * Asks this one to stop, and no other that has come after it. One that has just ended accepts it in silence.
   * @throws WorkflowNotFoundError when another one runs by now
   */
  readonly cancel: () => Promise<void>
}

/** @returns undefined: none runs under this id */
export async function runningExecution<T extends Workflow>(
  client: Client,
  workflowId: string,
): Promise<RunningExecution<T> | undefined> {
  try {
    const description = await client.workflow.getHandle(workflowId).describe()
    const { name } = description.status
    if (name !== 'RUNNING' && name !== 'PAUSED') return undefined
    const first = firstRunId(description)
    return {
      firstRunId: first,
      handle: client.workflow.getHandle<T>(workflowId, description.runId),
      async cancel() {
        const only = { firstExecutionRunId: first }
        await client.workflow.getHandle(workflowId, undefined, only).cancel()
      },
    }
  } catch (error) {
    if (await isNotFound(error)) return undefined
    throw error
  }
}
