import { WorkflowFailedError } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import { type ErrorFacts, RecordLinkerError } from '../../errors.ts'

/**
 * What a workflow about the items of a project came to.
 * @param stopped what to say where it was ended from outside
 * @throws RecordLinkerError with the code of what ended it
 */
export async function workflowResult<T>(
  handle: { readonly result: () => Promise<T> },
  stopped: Omit<ErrorFacts, 'cause'>,
): Promise<T> {
  try {
    return await handle.result()
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error
    const failure = applicationFailureIn(error)
    const told = failure === undefined ? {} : { message: failure.message }
    const code = failure?.type ?? stopped.code
    throw new RecordLinkerError({ ...stopped, ...told, code, cause: error })
  }
}

function applicationFailureIn(error: WorkflowFailedError): ApplicationFailure | undefined {
  for (let at: unknown = error.cause; at instanceof Error; at = at.cause) {
    if (at instanceof ApplicationFailure) return at
  }
  return undefined
}
