import {
  ApplicationFailure,
  isCancellation,
  rootCause,
  TerminatedFailure,
  TimeoutFailure,
} from '@temporalio/workflow'

/** An error as people read it in a run or a record. */
export interface FailureText {
  /** Stable code: the type of the innermost failure of ours. */
  readonly code: string
  readonly message: string
}

/** Code and message of whatever an activity or a child threw. */
export function failureText(error: unknown): FailureText {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof TerminatedFailure) {
      return { code: 'terminated', message: 'It was terminated by hand.' }
    }
    if (at instanceof TimeoutFailure) {
      return { code: 'timed_out', message: 'It ran into its time limit.' }
    }
  }
  if (isCancellation(error)) {
    return { code: 'task_cancelled', message: 'It alone was cancelled by hand.' }
  }
  return {
    code: innermostType(error) ?? 'internal_error',
    message: rootCause(error) ?? 'It failed without a message.',
  }
}

function innermostType(error: unknown): string | undefined {
  let found: string | undefined
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof ApplicationFailure) found = at.type ?? found
  }
  return found
}
