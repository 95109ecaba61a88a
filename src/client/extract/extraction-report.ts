import { durationText } from '../../core/work-rate.ts'
import type { Db } from '../../db/connect.ts'
import { countDataset, findDataset } from '../../db/datasets.repo.ts'
import { type TypeReport, typeReports } from '../../db/extract-report.repo.ts'
import type { ExtractRun } from '../../db/extract-runs.repo.ts'
import { exitCodes } from '../exit-codes.ts'
import { type OutputFormat, printAnswer, say, tableText } from '../output.ts'

/** What `extract start` and `extract status` answer with. */
export interface ExtractionReport {
  readonly run: number
  readonly source: string
  readonly dataset: string
  readonly status: 'running' | 'paused' | Exclude<ExtractRun['status'], 'open'>
  /** Why it stands still, or how it ended; null: neither. */
  readonly reason: string | null
  readonly types: readonly TypeReport[]
  /** Of the types that were read only for what changed at this moment or later. */
  readonly since: Readonly<Record<string, string>>
  readonly items: number
  readonly errors: number
  readonly workers: number
  readonly itemsPerSecond: number | null
  readonly durationMs: number
}

export async function readExtractionReport(db: Db, run: ExtractRun): Promise<ExtractionReport> {
  const types = await typeReports(db, run.id)
  const running = run.pausedReason === null ? 'running' : 'paused'
  return {
    run: run.id,
    source: run.source,
    dataset: run.dataset,
    status: run.status === 'open' ? running : run.status,
    reason: run.pausedReason ?? run.errorMessage,
    types,
    since: run.options.since ?? {},
    items: types.reduce((sum, { items }) => sum + items, 0),
    errors: types.reduce((sum, { errors }) => sum + errors, 0),
    workers: run.options.config.workers,
    itemsPerSecond: run.itemsPerSecond,
    durationMs: (run.endedAt ?? new Date()).getTime() - run.startedAt.getTime(),
  }
}

/** Prints how a run stands, what to do next, and sets the exit code of a run that has ended. */
export async function printExtraction(
  db: Db,
  run: ExtractRun,
  output: OutputFormat,
): Promise<ExtractionReport> {
  const report = await readExtractionReport(db, run)
  printAnswer(output, report, () => reportText(report))
  for (const line of adviceFor(report, await matchingProject(db, report))) say(line)
  process.exitCode = exitCodeFor(report.status)
  return report
}

/** The project that matches what came, where there is one already. */
async function matchingProject(
  db: Db,
  { status, types: [first] }: ExtractionReport,
): Promise<number | undefined> {
  if (status !== 'completed' || first === undefined) return undefined
  const dataset = await findDataset(db, first.dataset)
  if (dataset === undefined) return undefined
  return (await countDataset(db, dataset.id)).projects[0]
}

function exitCodeFor(status: ExtractionReport['status']): number {
  switch (status) {
    case 'completed_with_errors':
      return exitCodes.failedRecords
    case 'failed':
    case 'cancelled':
    case 'terminated':
      return exitCodes.failed
    case 'completed':
    case 'running':
    case 'paused':
    default:
      return exitCodes.done
  }
}

function reportText(report: ExtractionReport): string {
  const { run, source, status, reason, itemsPerSecond, durationMs } = report
  const speed = itemsPerSecond === null ? '' : `, ${itemsPerSecond.toFixed(1)} items/s`
  return [
    `Extraction ${run} of ${source}: ${status.replaceAll('_', ' ')}${reason === null ? '' : ` (${reason})`}, ${durationText(durationMs)}${speed}`,
    '',
    tableText(
      ['type', 'state', 'items', 'of', 'pages', 'new', 'changed', 'unchanged', 'absent', 'errors'],
      report.types.map(({ type, state, items, total, pages, landed, errors }) => [
        type,
        state,
        items,
        total,
        pages,
        landed?.new ?? null,
        landed?.changed ?? null,
        landed?.unchanged ?? null,
        landed?.absent ?? null,
        errors,
      ]),
    ),
  ].join('\n')
}

const absenceTexts: Readonly<Record<string, string>> = {
  list_incomplete: 'the list cannot be believed',
  empty_list: 'the list is empty',
  too_many_absent: 'so many at once are more likely a fault of the list',
  unconfirmed: 'the list does not say how long it is, so the next run must miss them too',
}

const OVERRIDABLE = new Set(['empty_list', 'too_many_absent'])

function adviceFor(report: ExtractionReport, project: number | undefined): readonly string[] {
  const { run, status, types, since } = report
  const lines = types.flatMap(({ type, message, landed }) => [
    ...(since[type] === undefined
      ? []
      : [`${type}: only what changed at ${since[type]} or later.`]),
    ...(message === null ? [] : [`${type}: ${message}`]),
    ...(landed === null || landed.absenceCode === null || landed.leftPresent === 0
      ? []
      : [
          `${type}: ${landed.leftPresent} records were not in the list and were left as they are: ${absenceTexts[landed.absenceCode]}.` +
            (OVERRIDABLE.has(landed.absenceCode)
              ? ' If it is right, extract again with --most-absent 100.'
              : ''),
        ]),
  ])
  return [...lines, ...nextSteps(run, status, report, project)]
}

function nextSteps(
  run: number,
  status: ExtractionReport['status'],
  { types, errors }: ExtractionReport,
  project: number | undefined,
): readonly string[] {
  switch (status) {
    case 'running':
      return [`Follow it: ./record-linker extract status ${run} --watch`]
    case 'paused':
      return [`Let it go on: ./record-linker extract resume ${run}`]
    case 'completed': {
      const [first] = types
      return first === undefined || first.items === 0
        ? []
        : [
            `Look at them: ./record-linker extract export ${run}${types.length === 1 ? '' : ` --type ${first.type}`} --format csv`,
            project === undefined
              ? `Match them: ./record-linker extract to-project ${run}${types.length === 1 ? '' : ` ${first.type}`} --service wikidata --name COLUMN`
              : `Match them: ./record-linker start-match --project ${project}`,
          ]
    }
    case 'completed_with_errors':
    case 'failed':
    case 'cancelled':
    case 'terminated':
    default:
      return [
        ...(errors > 0 ? [`What failed: ./record-linker extract errors ${run}`] : []),
        `Try the rest again: ./record-linker extract resume ${run}`,
      ]
  }
}
