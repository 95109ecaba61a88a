import { WorkflowNotFoundError } from '@temporalio/client'
import { PAUSED_BY_USER } from '../../core/run-progress.ts'
import { matchProjectId } from '../../core/workflow-ids.ts'
import { noteCancelRequested, type Run } from '../../db/runs.repo.ts'
import { UsageError } from '../../errors.ts'
import { pauseSignal, resumeSignal } from '../../workflows/messages.ts'
import type { CancelFlags, ProjectFlags } from '../commands/match.ts'
import { exitCodes } from '../exit-codes.ts'
import { printAnswer, say } from '../output.ts'
import { existingProject, type MatchContext, withMatchContext } from './match-context.ts'
import { printReport } from './print-report.ts'
import { isMatchRunning, reconciledRun } from './reconcile-run.ts'
import { runEnd } from './run-end.ts'

const POLL_MS = 200
/** How long a pause or resume may take to be seen in the run row. */
const SEEN_WITHIN_MS = 30_000

/** Cancels the run and, unless detached, waits until all its work has stopped. */
export async function runCancel(flags: CancelFlags): Promise<void> {
  await withMatchContext(async (context) => {
    const { client, db } = context
    const project = await existingProject(db, flags.project)
    const handle = client.workflow.getHandle(matchProjectId(project.id))
    // A cancel of a workflow that has ended is accepted in silence.
    if (!(await isMatchRunning(client, project.id))) throw noOpenRun(project.id)
    await toRunningMatch(project.id, handle.cancel())
    await noteCancelRequested(db, project.id)
    if (flags.detach === true) {
      printAnswer(
        flags.output,
        { project: project.id, status: 'cancelling' },
        () => `Project ${project.id}: cancelling.`,
      )
      return
    }
    say('Cancelling: running calls are ended, decided records stay …')
    await runEnd(context, handle, say)
    const run = await reconciledRun(client, db, project.id)
    await printReport(context, project, { run, output: flags.output, asked: true })
    // It was asked for, so it is not a failure here.
    if (run?.status === 'cancelled') process.exitCode = exitCodes.done
  })
}

export async function runPause(flags: ProjectFlags): Promise<void> {
  await withMatchContext(async (context) => {
    const project = await existingProject(context.db, flags.project)
    const handle = context.client.workflow.getHandle(matchProjectId(project.id))
    await toRunningMatch(project.id, handle.signal(pauseSignal, { reason: PAUSED_BY_USER }))
    const run = await untilSeen(context, project.id, (seen) => seen.pausedReason !== null)
    tell(flags, run)
    if (run.pausedReason === null) process.exitCode = exitCodes.failed
    say(`Let it go on: ./record-linker match resume --project ${project.id}`)
  })
}

export async function runResume(flags: ProjectFlags): Promise<void> {
  await withMatchContext(async (context) => {
    const project = await existingProject(context.db, flags.project)
    const before = await reconciledRun(context.client, context.db, project.id)
    const handle = context.client.workflow.getHandle(matchProjectId(project.id))
    await toRunningMatch(project.id, handle.signal(resumeSignal))
    if (before?.pausedReason == null) say('It is not paused.')
    const run = await untilSeen(context, project.id, (seen) => seen.pausedReason === null)
    tell(flags, run)
    if (run.status === 'open' && run.pausedReason !== null) process.exitCode = exitCodes.failed
    say(`Follow it: ./record-linker status --project ${project.id} --watch`)
  })
}

function tell(flags: ProjectFlags, run: Run): void {
  const state =
    run.status !== 'open' ? run.status : run.pausedReason === null ? 'running' : 'paused'
  printAnswer(
    flags.output,
    { project: run.projectId, status: state, reason: run.pausedReason },
    () =>
      `Project ${run.projectId}, run ${run.number}: ${state}` +
      (run.pausedReason === null ? '' : ` (${run.pausedReason})`),
  )
}

/** Waits until the run row shows it, the run has ended, or it takes too long; then says how the run stands. */
async function untilSeen(
  { client, db }: MatchContext,
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
    if (error instanceof WorkflowNotFoundError) throw noOpenRun(projectId)
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
