import { counted } from '../../core/counted.ts'
import { mapRecord } from '../../core/matching/mapped-record.ts'
import type { Project } from '../../db/projects.repo.ts'
import { countProject, countRefreshFailures } from '../../db/run-progress.repo.ts'
import { type RunReport, runReport } from '../../db/run-report.ts'
import { runSampleRows } from '../../db/run-sample.repo.ts'
import type { Run } from '../../db/runs.repo.ts'
import { exitCodes } from '../exit-codes.ts'
import { type OutputFormat, printAnswer, say, tableText } from '../output.ts'
import { ageText } from './answer-age.ts'
import { sayEndTrouble } from './end-trouble.ts'
import { readRunHold } from './run-waiting.ts'
import { type MatchContext, workflowUrl } from './match-context.ts'
import { nextLines } from './next-lines.ts'
import { renewingOf, reportText } from './run-report.ts'

export interface ReportRequest {
  readonly run: Run | undefined
  readonly output: OutputFormat
  /** False when this start found nothing to do: then no request is this run's. */
  readonly asked: boolean
  /** Temporal's first run id of a run that has only just been started. */
  readonly startedRunId?: string
}

const SAMPLE_ROWS = 100

/** Prints the report of a run and what to do next, and sets the exit code. */
export async function printReport(
  context: Omit<MatchContext, 'client'>,
  project: Project,
  { run, output, asked, startedRunId }: ReportRequest,
): Promise<void> {
  const { db, stack } = context
  const counts = await countProject(db, project.id)
  const seen = await runReport(db, project.id, counts, run, asked)
  const hold = await readRunHold(context, asked ? run : undefined)
  const told: RunReport =
    startedRunId === undefined ? seen : { ...seen, run: startedRunId, status: 'running' }
  const report = { ...told, ...hold, renewing: renewingOf(told) }
  // Of a run that is over nothing is held up: its report is the one that is told at its end.
  printAnswer(output, told.status === 'running' ? report : told, () =>
    reportText(report, asked ? run : undefined),
  )
  process.exitCode = exitCodeOfReport(report)
  if (run?.isSample === true && asked && output === 'text') await printSample(context, project, run)
  const url = run === undefined ? undefined : workflowUrl(stack, run.workflowId)
  if (counts.stale > 0) {
    say(
      `${counted(counts.stale, 'judged record or its item', 'judged records or their items')} changed since: ./record-linker judgments export --project ${project.id}`,
    )
  }
  if (run !== undefined && asked) await tellRefreshFailures(context, project, run)
  if (run !== undefined && asked) await sayEndTrouble(db, run)
  for (const line of nextLines(project.id, report, run)) say(line)
  if (url !== undefined) say(`Web UI: ${url}`)
}

async function printSample(
  { db }: Pick<MatchContext, 'db'>,
  project: Project,
  run: Run,
): Promise<void> {
  const rows = await runSampleRows(db, run.id, SAMPLE_ROWS)
  const table = tableText(
    ['name', 'match', 'label', 'reason'],
    rows.map((row) => [
      mapRecord(row.cells, project.settings).names[0] ?? '',
      row.matchStatus === 'matched' ? row.matchQid : row.matchStatus,
      row.label,
      row.reason,
    ]),
  )
  process.stdout.write(`\n${table}\n`)
}

async function tellRefreshFailures(
  { db }: Pick<MatchContext, 'db'>,
  { id }: Project,
  run: Run,
): Promise<void> {
  const { refreshOlderThanMs } = run.options
  const count = refreshOlderThanMs == null ? 0 : await countRefreshFailures(db, run.id)
  if (refreshOlderThanMs == null || count === 0) return
  say(
    `${counted(count, 'record keeps', 'records keep')} an answer that could not be renewed; match_error of the export says why.\n` +
      `Again:  ./record-linker start-match --project ${id} --refresh-older-than ${ageText(refreshOlderThanMs)}`,
  )
}

function exitCodeOfReport({ status, entries }: RunReport): number {
  if (status === 'running') return exitCodes.done
  if (status !== 'completed') return exitCodes.failed
  return entries.failed > 0 ? exitCodes.failedRecords : exitCodes.done
}
