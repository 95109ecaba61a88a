import { matchProjectId } from '../../core/workflow-ids.ts'
import { countProject, runStanding } from '../../db/run-progress.repo.ts'
import { listProjects, type Project } from '../../db/projects.repo.ts'
import { statusOf } from '../../db/run-report.ts'
import { hasOpenRun, type Run } from '../../db/runs.repo.ts'
import { withCommandContext } from '../command-context.ts'
import type { StatusFlags } from '../commands/match.ts'
import { exitCodes } from '../exit-codes.ts'
import { type OutputFormat, printAnswer, say, tableText } from '../output.ts'
import { createProgressLine, type ProgressLine } from '../progress-line.ts'
import { findDomainWait, type WaitPlaces } from './domain-wait.ts'
import { standingText } from './follow-run.ts'
import { followUntilLeft } from './follow-until-left.ts'
import { existingProject, type MatchContext, withTemporal } from './match-context.ts'
import { openedRun } from './opened-run.ts'
import { printReport } from './print-report.ts'
import { reconciledRun } from './reconcile-run.ts'
import { readRunHold, type RunHold } from './run-waiting.ts'
import { standStillOf } from './stand-still.ts'
import type { MatchHandle } from './start-match.ts'

/** What a look needs; without a client where no run is open, which only Temporal could know to be over. */
type StatusContext = Omit<MatchContext, 'client'> & {
  readonly client: MatchContext['client'] | null
}

export async function runStatus(flags: StatusFlags): Promise<void> {
  const stays = flags.watch === true || flags.wait === true
  await withCommandContext(async (command) => {
    if (flags.project !== undefined && stays) {
      const { project } = flags
      return withTemporal(command, (context) => staysWith(context, project, flags))
    }
    return (await hasOpenRun(command.db, flags.project ?? null))
      ? withTemporal(command, (context) => look(context, flags))
      : look({ ...command, client: null }, flags)
  })
}

async function look(context: StatusContext, { project: id, output }: StatusFlags): Promise<void> {
  if (id === undefined) return printAll(context, output)
  const project = await existingProject(context.db, id)
  const run = await reconciledRun(context.client, context.db, id)
  if (run?.status === 'open') await sayStanding(context, run)
  await printReport(context, project, { run, output, asked: run !== undefined })
  // A look is not a verdict; only who waited for the end is told by the exit code how it was.
  process.exitCode = exitCodes.done
}

async function staysWith(context: MatchContext, id: number, flags: StatusFlags): Promise<void> {
  const project = await existingProject(context.db, id)
  let run = await openedRun(context, id)
  if (run?.status === 'open') {
    run = await untilEnd(context, run, flags)
    if (run === undefined) return
  }
  await printReport(context, project, { run, output: flags.output, asked: run !== undefined })
  // Nobody waits for a run that only a person can let go on.
  if (run?.status === 'open') process.exitCode = exitCodes.failed
}

/** How an open run stands at this moment, and how it goes on when it does not. */
async function sayStanding(places: WaitPlaces, run: Run): Promise<void> {
  const standing = await runStanding(places.db, run.id)
  const wait = await findDomainWait(places, run)
  const nowMs = Date.now()
  say(standingText(standing, [], wait, nowMs))
  const still = standStillOf(run.projectId, standing.pausedReason, wait, nowMs)
  if (still !== null) say(still.text)
}

/** @returns the run after its end, or paused until somebody mends something; undefined when the person left. */
async function untilEnd(
  context: MatchContext,
  run: Run,
  flags: StatusFlags,
): Promise<Run | undefined> {
  const { client, db } = context
  const { projectId, temporalRunId } = run
  const handle: MatchHandle = client.workflow.getHandle(matchProjectId(projectId))
  const line = flags.wait === true ? noProgress : createProgressLine()
  const end = await followUntilLeft(context, { projectId, handle, temporalRunId }, line)
  return end === 'detached' ? undefined : reconciledRun(client, db, projectId)
}

const noProgress: ProgressLine = {
  show: () => undefined,
  note: say,
  end: () => undefined,
}

async function printAll(context: StatusContext, output: OutputFormat): Promise<void> {
  const { db } = context
  const rows: Awaited<ReturnType<typeof rowOf>>[] = []
  for (const project of await listProjects(db)) rows.push(await rowOf(context, project))
  printAnswer(output, rows, () =>
    rows.length === 0
      ? 'There are no projects yet.'
      : tableText(
          [
            'project',
            'name',
            'records',
            'matched',
            'review',
            'none',
            'skipped',
            'failed',
            'open',
            'last run',
          ],
          rows.map((row) => [
            row.project,
            row.name,
            row.records,
            row.matched,
            row.review,
            row.no_candidate,
            row.skipped,
            row.failed,
            row.open,
            row.run === null ? null : `${row.run} ${row.state}`,
          ]),
        ),
  )
  say(
    rows.length === 0
      ? 'Try the sample: ./record-linker start-match --project 123'
      : 'More of one: ./record-linker status --project ID',
  )
}

/** `completed`, `cancelling`, `paused: by user`, `open, waiting for example.org until 2 Jan, 12:00:00 (it asked us to wait; parked)`. */
function stateText(run: Run, { paused, waiting }: RunHold): string {
  if (run.status === 'open' && run.isCancelRequested) return 'cancelling'
  if (paused !== null) return `paused: ${paused.reason}`
  return waiting === null ? run.status : `${run.status}, ${waiting.text}`
}

async function rowOf(context: StatusContext, project: Project) {
  const { client, db } = context
  const counts = await countProject(db, project.id)
  const run = await reconciledRun(client, db, project.id)
  const hold = await readRunHold(context, run)
  const state = run === undefined ? '' : stateText(run, hold)
  return {
    project: project.id,
    name: project.name,
    records: counts.total,
    matched: counts.matched,
    review: counts.review,
    no_candidate: counts.noCandidate,
    skipped: counts.skipped,
    failed: counts.failed,
    open: counts.total - counts.completed - counts.failed,
    run: run?.number ?? null,
    status: run === undefined ? null : statusOf(run),
    paused: hold.paused,
    waiting: hold.waiting,
    /** Of the run, for people. */
    state,
  }
}
