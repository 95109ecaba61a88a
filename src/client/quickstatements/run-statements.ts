import { counted } from '../../core/counted.ts'
import type { Db } from '../../db/connect.ts'
import type { Project } from '../../db/projects.repo.ts'
import { findService, isWikidata } from '../../db/services.repo.ts'
import { UsageError } from '../../errors.ts'
import { exitCodes } from '../exit-codes.ts'
import { say } from '../output.ts'
import { csvLine } from '../../tabular/write-csv.ts'
import { fileSink, type TextSink } from '../text-sink.ts'
import {
  exportStatements,
  type StatementRequest,
  type StatementsReport,
} from './export-statements.ts'
import type { StatementFault } from './record-statements.ts'

const EXAMPLES = 5
const COMMA = { delimiter: ',', quote: '"' }
const FAULTS_SHOWN = 20

/**
 * `export --format quickstatements`: first what it comes to, with examples, then the commands.
 * @param where for people; null: stdout
 * @throws UsageError `not_wikidata`, and those of `exportStatements`
 */
export async function runStatements(
  db: Db,
  project: Project,
  request: StatementRequest,
  sink: TextSink,
  where: string | null,
): Promise<void> {
  await refuseOtherItems(db, project)
  const report = await exportStatements(db, project, request)
  for (const line of summary(report)) say(line)
  if (report.lines.length > 0) {
    say('The first of them:')
    for (const line of report.lines.slice(0, EXAMPLES)) say(`  ${line}`)
  }
  for (const line of leftOut(report, request)) say(line)
  // One piece per line would be a system call per line.
  const linesPerPiece = 10_000
  for (let from = 0; from < report.lines.length; from += linesPerPiece) {
    await sink.write(`${report.lines.slice(from, from + linesPerPiece).join('\n')}\n`)
  }
  await sink.finish()
  if (where !== null && report.faults.length > 0) {
    const file = `${where}.left-out.csv`
    await writeFaults(file, report.faults)
    say(`What could not be written, and why: ${file}`)
  }
  if (report.lines.length > 0) {
    say(
      `Next: look at some of them, then paste ${where ?? 'them'} into https://quickstatements.toolforge.org (New batch, Import V1 commands).`,
    )
  }
  if (report.faults.length > 0) process.exitCode = exitCodes.failedRecords
}

async function refuseOtherItems(db: Db, { id, settings }: Project): Promise<void> {
  const service = await findService(db, settings.service)
  if (service === null) {
    say(
      `Whether the items of ${settings.service} are those of Wikidata is not known, as no run has asked it yet.`,
    )
  } else if (!isWikidata(service)) {
    throw new UsageError({
      code: 'not_wikidata',
      message: `The items of project ${id} are those of ${service.identifierSpace}; QuickStatements would change items of Wikidata with the same ids.`,
      hint: `Take another format: ./record-linker export --project ${id} --format csv`,
    })
  }
}

function summary(report: StatementsReport): readonly string[] {
  const { statements, items, newItems, sameNames, oldDates } = report
  const created = newItems === 0 ? '' : `, ${newItems} of them to be created`
  return [
    `${counted(statements, 'statement')} of ${counted(items + newItems, 'item')}${created}.`,
    ...(sameNames > 0
      ? [`${sameNames} names are those of several new items: see that none is created twice.`]
      : []),
    ...(oldDates > 0
      ? [
          `${oldDates} days before 15 October 1582 are written as of the Gregorian calendar; where they are of the Julian one, add /J.`,
        ]
      : []),
  ]
}

function leftOut(report: StatementsReport, request: StatementRequest): readonly string[] {
  const { automatic, newLeftOut, empty, others, faults, blankSources } = report
  const part = (count: number, text: string) =>
    count === 0 ? [] : [`  ${counted(count, 'record')} ${text}`]
  const lines = [
    ...part(automatic, 'matched automatically (--include-automatic adds them)'),
    ...part(newLeftOut, 'judged not to be in Wikidata (--create-new adds them)'),
    ...part(
      request.statements.length === 0 ? 0 : empty,
      'matched, with blank cells: nothing to state',
    ),
    ...part(others, 'without a match'),
  ]
  return [
    ...(lines.length === 0 ? [] : ['Left out:', ...lines]),
    ...Object.entries(blankSources).map(
      ([pid, count]) =>
        `${counted(count, 'record is', 'records are')} stated without ${pid} as a source: its cell is blank.`,
    ),
    ...faultLines(faults),
  ]
}

function faultLines(faults: readonly StatementFault[]): readonly string[] {
  if (faults.length === 0) return []
  const more = faults.length - FAULTS_SHOWN
  return [
    `Could not be written: ${faults.length}`,
    ...faults.slice(0, FAULTS_SHOWN).map(faultText),
    ...(more > 0 ? [`  … and ${more} more (with -o FILE all of them are written to a file)`] : []),
  ]
}

function faultText({ record, property, column, reason }: StatementFault): string {
  const place = property === null ? '' : `, ${property} from column "${column ?? ''}"`
  return `  record ${record}${place}: ${reason}`
}

async function writeFaults(path: string, faults: readonly StatementFault[]): Promise<void> {
  const sink = await fileSink(path)
  try {
    const rows = faults.map(({ record, property, column, reason }) =>
      csvLine([record, property ?? '', column ?? '', reason], COMMA),
    )
    await sink.write(`${['record,property,column,reason', ...rows].join('\n')}\n`)
    await sink.finish()
  } catch (error) {
    await sink.discard()
    throw error
  }
}
