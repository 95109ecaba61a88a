import { counted } from '../../core/counted.ts'
import { defaultRunOptions, type RunOptions } from '../../core/run.ts'
import type { Db } from '../../db/connect.ts'
import { failureGroups } from '../../db/failures.repo.ts'
import type { Project } from '../../db/projects.repo.ts'
import { findRunByExecution } from '../../db/runs.repo.ts'
import { UsageError } from '../../errors.ts'
import type { StartFlags } from '../commands/match.ts'
import { failedPick, type PickFlags } from '../failures/failed-pick.ts'
import { exitCodes } from '../exit-codes.ts'
import { say } from '../output.ts'
import { createProgressLine } from '../progress-line.ts'
import { endActionOf } from './end-flags.ts'
import { pausedText } from './stand-still.ts'
import { followUntilLeft } from './follow-until-left.ts'
import { dueText, nothingDueText } from './due-text.ts'
import {
  existingProject,
  type MatchContext,
  withMatchContext,
  workflowUrl,
} from './match-context.ts'
import { checkContact, dueOf, momentBefore, planStart } from './plan-start.ts'
import { printReport } from './print-report.ts'
import { sayRescored } from './run-diff.ts'
import { reconciledRun } from './reconcile-run.ts'
import { type StartedMatch, startMatch } from './start-match.ts'

/** What kind of run a command starts. */
export interface StartKind extends Partial<Pick<RunOptions, 'retryFailed' | 'rescore'>> {
  /** Of a retry: only these of the failed records, and nothing else. */
  readonly pick?: PickFlags | undefined
}

/** The whole of `start-match`: say what is due, start or join the run, follow it, report. */
export async function runStart(flags: StartFlags, kind: StartKind = {}): Promise<void> {
  const { pick = {}, ...ofKind } = kind
  const asked = { ...runOptions(flags), ...ofKind }
  if (flags.dryRun === true) {
    const { runDryRun } = await import('./dry-run/run-dry-run.ts')
    return runDryRun(flags, asked, momentBefore(asked.refreshOlderThanMs))
  }
  await withMatchContext(async (context) => {
    const { client, db } = context
    const project = await existingProject(db, flags.project)
    if (project.about !== null) say(`Project ${project.id}: ${project.about}`)
    checkContact(context, project, asked)
    const endActionId = await endActionOf(context, project.id, flags)
    const options = { ...asked, failed: await failedPick(db, project, pick, true), endActionId }
    const { lastRun, due, isIdle } = await planStart(context, project, options)
    if (due !== null) {
      if (isIdle) {
        say(nothingDueText(project, due, options))
        return printReport(context, project, { run: lastRun, output: flags.output, asked: false })
      }
      say(dueText(due))
      if (due.due.failed > 0) say(await failedText(db, project.id, options))
      if (options.sample !== null)
        say(`${counted(options.sample.size, 'of them is', 'of them are')} drawn at random.`)
      if (options.limit !== null)
        say(
          options.limit === 1
            ? 'The first of them is taken.'
            : `The first ${options.limit} of them are taken.`,
        )
    }
    const started = await startMatch(client, {
      projectId: project.id,
      projectName: project.name,
      settingsRevision: project.revision,
      options,
    })
    announce(context, started)
    if (flags.detach === true) {
      if (started.attached && lastRun?.pausedReason != null)
        say(pausedText(project.id, lastRun.pausedReason))
      const run = await findRunByExecution(db, started.temporalRunId)
      return printReport(context, project, {
        run,
        output: flags.output,
        asked: true,
        startedRunId: started.temporalRunId,
      })
    }
    await follow(context, project, started, flags)
  })
}

async function follow(
  context: MatchContext,
  project: Project,
  started: StartedMatch,
  flags: StartFlags,
): Promise<void> {
  const { db } = context
  const { handle, temporalRunId } = started
  const followed = { projectId: project.id, handle, temporalRunId }
  const end = await followUntilLeft(context, followed, createProgressLine())
  if (end === 'detached') return
  await reconciledRun(context.client, db, project.id)
  const run = await findRunByExecution(db, started.temporalRunId)
  await printReport(context, project, { run, output: flags.output, asked: true })
  if (end === 'paused') {
    process.exitCode = exitCodes.failed
    return
  }
  if (run?.options.rescore === true) await sayRescored(db, run)
  if (started.attached && flags.sample === undefined && flags.limit === undefined) {
    const { due } = await dueOf(context, project, defaultRunOptions)
    const left = Object.values(due).reduce((sum, count) => sum + count, 0)
    if (left > 0) say(`${counted(left, 'record')} became due meanwhile; start again to match them.`)
  }
}

/** Which of the failed ones the run takes up. */
async function failedText(db: Db, projectId: number, options: RunOptions): Promise<string> {
  const groups = await failureGroups(db, projectId, options.failed ?? null)
  return `Taken up of the failed: ${groups.map(({ code, count }) => `${count} ${code}`).join(', ')}.`
}

function announce({ stack }: MatchContext, started: StartedMatch): void {
  const url = workflowUrl(stack, started.handle.workflowId)
  const where = url === undefined ? '' : ` Web UI: ${url}`
  say(`${started.attached ? 'Joined the run that is going on.' : 'Started.'}${where}`)
}

function runOptions(flags: StartFlags): RunOptions {
  if (flags.limit !== undefined && flags.sample !== undefined) {
    throw new UsageError({
      code: 'limit_and_sample',
      message:
        '--limit and --sample were both given; a run takes the first records or random ones.',
      hint: 'Give one of them.',
    })
  }
  if (flags.seed !== undefined && flags.sample === undefined) {
    throw new UsageError({
      code: 'seed_without_sample',
      message: '--seed was given without --sample; it names which random sample is drawn.',
      hint: 'Give --sample N too, or leave --seed out.',
    })
  }
  return {
    ...defaultRunOptions,
    only: flags.only ?? null,
    limit: flags.limit ?? null,
    sample: flags.sample === undefined ? null : { size: flags.sample, seed: flags.seed ?? 1 },
    entriesPerTask: flags.entriesPerTask ?? null,
    maxAttempts: flags.maxAttempts ?? defaultRunOptions.maxAttempts,
    giveUpAfterMs: flags.giveUpAfter ?? defaultRunOptions.giveUpAfterMs,
    refreshOlderThanMs: flags.refreshOlderThan ?? null,
  }
}
