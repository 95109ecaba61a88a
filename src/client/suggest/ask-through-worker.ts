import { randomUUID } from 'node:crypto'
import { WorkflowFailedError } from '@temporalio/client'
import { ApplicationFailure, TimeoutFailure } from '@temporalio/common'
import { WORK_TASK_QUEUE } from '../../core/workflow-ids.ts'
import { UnavailableError, UsageError } from '../../errors.ts'

/** How long a command waits for its turn at a service. */
const PATIENCE_MS = 120_000

export interface SmallWorkflow {
  readonly workflowId: string
  readonly taskQueue: string
  readonly workflowExecutionTimeout: number
}

/**
 * Awaits a small workflow, started with options of our own.
 * @throws UsageError for what no waiting mends; UnavailableError `service_not_answering`
 */
export async function askThroughWorker<T>(
  start: (options: SmallWorkflow) => Promise<{ result(): Promise<T> }>,
): Promise<T> {
  try {
    const handle = await start({
      workflowId: `suggest/${randomUUID()}`,
      taskQueue: WORK_TASK_QUEUE,
      workflowExecutionTimeout: PATIENCE_MS,
    })
    return await handle.result()
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error
    throw failureOf(error)
  }
}

function failureOf(error: WorkflowFailedError): unknown {
  for (let at: unknown = error.cause; at instanceof Error; at = at.cause) {
    if (at instanceof ApplicationFailure) {
      return new UsageError({ code: at.type ?? 'failed', message: at.message, cause: error })
    }
    if (at instanceof TimeoutFailure) {
      return new UnavailableError({
        code: 'service_not_answering',
        message: `The service could not be asked within ${PATIENCE_MS / 1000} s; it may be away, or may ask us to wait.`,
        hint: 'See why: ./record-linker limits',
        cause: error,
      })
    }
  }
  return error
}
