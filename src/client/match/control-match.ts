import { PAUSED_BY_USER } from '../../core/run-progress.ts'
import { matchProjectId } from '../../core/workflow-ids.ts'
import { noteCancelRequested, type Run } from '../../db/runs.repo.ts'
import { UsageError } from '../../errors.ts'
import type { matchProject } from '../../workflows/match-project.ts'
import { pauseSignal, resumeSignal } from '../../workflows/messages.ts'
import type { MatchContext } from './match-context.ts'
import { isMatchRunning, reconciledRun } from './reconcile-run.ts'
import { runningExecution } from './running-execution.ts'
import type { MatchHandle } from './start-match.ts'
import { isNotFound } from './is-not-found.ts'

/** What is told to a running match needs. */
export type ControlContext = Pick<MatchContext, 'client' | 'db'>

const POLL_MS = 200
/** How long a pause or resume may take to be seen in the run row. */
const SEEN_WITHIN_MS = 30_000

/**
 * Asks a running match to stop; what is decided stays. Returns before it has.
 * @throws UsageError `no_open_run`
 */
export async function askToCancel(
  { client, db }: ControlContext,
  projectId: number,
): Promise<MatchHandle> {
  const running = await runningExecution<typeof matchProject>(client, matchProjectId(projectId))
  if (running === undefined) throw noOpenRun(projectId)
  await toRunningMatch(projectId, running.cancel())
  await noteCancelRequested(db, running.firstRunId)
  return running.handle
}

/**
 * Holds a running match, and waits until it is seen to be held.
 * @throws UsageError `no_open_run`
 */
export async function pauseMatch(context: ControlContext, projectId: number): Promise<Run> {
  const handle = context.client.workflow.getHandle(matchProjectId(projectId))
  await toRunningMatch(projectId, handle.signal(pauseSignal, { reason: PAUSED_BY_USER }))
  return untilSeen(context, projectId, (seen) => seen.pausedReason !== null)
}

/**
 * Lets a paused match go on, and waits until it is seen to.
 * @throws UsageError `no_open_run`
 */
export async function resumeMatch(context: ControlContext, projectId: number): Promise<Run> {
  const handle = context.client.workflow.getHandle(matchProjectId(projectId))
  await toRunningMatch(projectId, handle.signal(resumeSignal))
  return untilSeen(context, projectId, (seen) => seen.pausedReason === null)
}

/** Waits until the run row shows it, the run has ended, or it takes too long; then says how the run stands. */
async function untilSeen(
  { client, db }: ControlContext,
  projectId: number,
  seen: (run: Run) => boolean,
): Promise<Run> {
  const deadlineMs = Date.now() + SEEN_WITHIN_MS
  for (;;) {
    const run = await reconciledRun(client, db, projectId)
    const isOver =
      run?.status === 'open'
        ? seen(run) || Date.now() > deadlineMs
        : Date.now() > deadlineMs || !(await isMatchRunning(client, projectId))
    if (isOver) {
      if (run === undefined) throw noOpenRun(projectId)
      return run
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** @throws UsageError `no_open_run` when Temporal knows no running match to tell it to. */
async function toRunningMatch(projectId: number, message: Promise<unknown>): Promise<void> {
  try {
    await message
  } catch (error) {
    if (await isNotFound(error)) throw noOpenRun(projectId)
    throw error
  }
}

function noOpenRun(projectId: number): UsageError {
  return new UsageError({
    code: 'no_open_run',
    message: `No match of project ${projectId} is running.`,
    hint: `How it stands: ./record-linker status --project ${projectId}`,
  })
}
