/**
 * The one place where our errors become Temporal failures (DESIGN §3). Waits are benign and retryable with the delay
 * they ask for; what no retry can mend ends the activity; anything unexpected is tried a few times and then shown.
 * Failures are kept in histories and logs, so nothing of a record is in them.
 */
import { activityInfo, cancellationSignal } from '@temporalio/activity'
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common'
import { RUN_PAUSED } from '../core/match-run.ts'
import { lookAgainMs, waitDelayMs } from '../core/wait-delay.ts'
import { isPostgresAway } from '../db/is-postgres-away.ts'
import {
  errorWithoutData,
  OutsideCallError,
  RecordLinkerError,
  UnavailableError,
  UsageError,
} from '../errors.ts'

/** After so many unforeseen errors in a row an activity is not tried again: it is a defect, and is shown. */
const DEFECTS_IN_A_ROW = 5

/** The activity gives its slot back and is run again after `delayMs`; costs no attempt of any record. */
export function waitFailure(code: string, message: string, delayMs: number): ApplicationFailure {
  return ApplicationFailure.create({
    type: code,
    message,
    nextRetryDelay: Math.max(1, Math.round(delayMs)),
    category: ApplicationFailureCategory.BENIGN,
  })
}

/** What a workflow of its own is told, beside any run: to wait, or, where the service turns it away, that it is over. */
export function outsideFailure(error: unknown, random: number): unknown {
  if (!(error instanceof OutsideCallError)) return error
  return error.kind === 'endpoint'
    ? ApplicationFailure.nonRetryable(withHint(error), error.code)
    : outsideWaitFailure(error, random)
}

/** The activity waits until the domain may be asked again, costing nothing. @param random uniform in [0, 1) */
export function outsideWaitFailure(error: OutsideCallError, random: number): ApplicationFailure {
  const delayMs = error.retryAfterMs ?? waitDelayMs(activityInfo().attempt, random)
  // A long wait is the domain's: the task looks again, and is turned away without a request while it lasts.
  const mostMs = error.code === 'no_permit_soon' ? delayMs : lookAgainMs
  return waitFailure(error.code, error.message, Math.min(delayMs, mostMs))
}

/** The run stands still; its workflow waits for the resume. */
export function pausedFailure(reason: string): ApplicationFailure {
  return ApplicationFailure.create({
    type: RUN_PAUSED,
    message: reason,
    nonRetryable: true,
    category: ApplicationFailureCategory.BENIGN,
  })
}

/** Runs an activity's body and turns what it throws into a failure that Temporal treats as it should. */
export async function withFailures<T>(body: () => Promise<T>): Promise<T> {
  const { workflowExecution, activityId } = activityInfo()
  const execution = `${workflowExecution?.runId ?? ''} ${activityId}`
  try {
    const result = await body()
    defects.delete(execution)
    return result
  } catch (error) {
    const failure = toFailure(error, execution)
    if (isWorkerStopping() && (isRetryable(failure) || isCancellation(failure))) throw handedBack()
    // Who was told to stop has stopped: "to be tried again" would end the workflow as failed instead of cancelled.
    if (isRetryable(failure) && cancellationSignal().aborted) throw cancellationSignal().reason
    throw failure
  }
}

/** An error as others know it: its stable code, and whether it only has its work wait, or stop. */
export function failureFacts(error: unknown): { readonly code: string; readonly isWait: boolean } {
  const known = knownFailure(error)
  if (known instanceof ApplicationFailure) {
    const isWait = known.category === ApplicationFailureCategory.BENIGN
    return { code: known.type ?? 'internal_error', isWait }
  }
  if (isCancellation(error)) return { code: 'cancelled', isWait: true }
  const code = error instanceof RecordLinkerError ? error.code : 'internal_error'
  return { code, isWait: false }
}

function isRetryable(failure: unknown): boolean {
  return failure instanceof ApplicationFailure && failure.nonRetryable !== true
}

function isCancellation(error: unknown): boolean {
  return error instanceof Error && error.name === 'CancelledFailure'
}

/** The grace time of a worker that is to end is over. The reason is the SDK's word for it. */
function isWorkerStopping(): boolean {
  const { aborted, reason } = cancellationSignal()
  return aborted && reason instanceof Error && reason.message === 'WORKER_SHUTDOWN'
}

/** Run again at once, by another worker: left to itself the SDK would have it wait like after an error. */
function handedBack(): ApplicationFailure {
  return waitFailure('worker_stopping', 'The worker ended; another one goes on.', 1)
}

/** Errors in a row that nobody foresaw, by activity execution; waits in between start the count afresh. */
const defects = new Map<string, number>()
/** What goes on in another process is never heard of again: of more than so many the oldest are forgotten. */
const MOST_DEFECTS = 1_000

function toFailure(error: unknown, execution: string): unknown {
  const known = knownFailure(error)
  if (known !== undefined) {
    defects.delete(execution)
    return known
  }
  const count = (defects.get(execution) ?? 0) + 1
  const isFinal = count >= DEFECTS_IN_A_ROW
  // At the end once more, where it is forgotten last.
  defects.delete(execution)
  if (!isFinal) defects.set(execution, count)
  for (const oldest of defects.keys()) {
    if (defects.size <= MOST_DEFECTS) break
    defects.delete(oldest)
  }
  return ApplicationFailure.create({
    type: error instanceof RecordLinkerError ? error.code : 'internal_error',
    message: errorWithoutData(error),
    nonRetryable: isFinal,
  })
}

function knownFailure(error: unknown): unknown {
  if (error instanceof ApplicationFailure) return error
  if (isOurOutage(error)) {
    return ApplicationFailure.create({
      type: 'database_unreachable',
      message: `The database does not answer: ${errorWithoutData(error)}`,
      category: ApplicationFailureCategory.BENIGN,
    })
  }
  if (error instanceof UsageError) {
    return ApplicationFailure.nonRetryable(withHint(error), error.code)
  }
  if (error instanceof UnavailableError)
    return ApplicationFailure.retryable(error.message, error.code)
  // A cancellation must stay what it is.
  if (isCancellation(error)) return error
  return undefined
}

/** Message and next step in one text: a failure has no place of its own for the hint. */
export function withHint({ message, hint }: RecordLinkerError): string {
  return hint === undefined ? message : `${message} ${hint}`
}

/** Two transactions got into each other's way; the same work goes through when it is done again. */
const CONFLICT_SQLSTATE = /^40/

/** Ours, so it waits, unlimited, and costs no record anything. */
function isOurOutage(error: unknown): boolean {
  if (isPostgresAway(error)) return true
  return error instanceof Error && 'code' in error && CONFLICT_SQLSTATE.test(String(error.code))
}
