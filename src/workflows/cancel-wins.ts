import { CancellationScope, CancelledFailure, isCancellation, patched } from '@temporalio/workflow'

/**
 * What an execution ends by. An activity whose cancellation is asked for is not tried again: where an attempt of it waits, is
 * refused or dies before it hears of that, what it says looks like a failure of the whole. Whoever cancels gets a cancelled run.
 * @returns the cancellation where one was asked for, else the error
 */
export function cancelWins(error: unknown): unknown {
  if (isCancellation(error) || !CancellationScope.current().consideredCancelled) return error
  return patched('cancel-wins') ? new CancelledFailure('Cancelled', [], toError(error)) : error
}

/**
 * Before an execution continues as new: an activity that ended before it heard of a cancellation hides it, and the next
 * execution would not know of it.
 * @throws the cancellation, where one was asked for
 */
export async function throwCancellation(): Promise<void> {
  const scope = CancellationScope.current()
  if (scope.consideredCancelled) await scope.cancelRequested
}

function toError(error: unknown): Error | undefined {
  return error instanceof Error ? error : undefined
}
