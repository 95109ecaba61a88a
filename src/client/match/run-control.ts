import type { Run } from '../../db/runs.repo.ts'
import type { CancelFlags, ProjectFlags } from '../commands/match.ts'
import { exitCodes } from '../exit-codes.ts'
import { printAnswer, say } from '../output.ts'
import { askToCancel, pauseMatch, resumeMatch } from './control-match.ts'
import { existingProject, withMatchContext } from './match-context.ts'
import { printReport } from './print-report.ts'
import { reconciledRun } from './reconcile-run.ts'
import { runEnd } from './run-end.ts'

/** Cancels the run and, unless detached, waits until all its work has stopped. */
export async function runCancel(flags: CancelFlags): Promise<void> {
  await withMatchContext(async (context) => {
    const { client, db } = context
    const project = await existingProject(db, flags.project)
    const handle = await askToCancel(context, project.id)
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
    const before = await reconciledRun(context.client, context.db, project.id)
    const run = await pauseMatch(context, project.id)
    if (before?.status === 'open' && before.pausedReason !== null) {
      say(`It was paused already: ${before.pausedReason}`)
    }
    tell(flags, run)
    if (run.pausedReason === null) process.exitCode = exitCodes.failed
    say(`Let it go on: ./record-linker resume-match --project ${project.id}`)
  })
}

export async function runResume(flags: ProjectFlags): Promise<void> {
  await withMatchContext(async (context) => {
    const project = await existingProject(context.db, flags.project)
    const before = await reconciledRun(context.client, context.db, project.id)
    const run = await resumeMatch(context, project.id)
    if (before?.pausedReason == null) say('It is not paused.')
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
