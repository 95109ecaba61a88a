import type { Db } from '../../db/connect.ts'
import { appendJudgments } from '../../db/judgments.repo.ts'
import type { Project } from '../../db/projects.repo.ts'
import type { ByteSource } from '../../tabular/byte-source.ts'
import type { FormatOverrides } from '../../tabular/detect-format.ts'
import { openTable, type Table } from '../../tabular/open-table.ts'
import type { RejectedLine, TableRecord } from '../../tabular/table-batch.ts'
import { csvLine } from '../../tabular/write-csv.ts'
import { rejectedFile } from '../import/rejected-file.ts'
import { refreshProjects } from '../import/refresh-projects.ts'
import { findReviewColumns } from '../review/review-columns.ts'
import { userName } from '../user-name.ts'
import { checkJudgmentColumns } from './judgment-columns.ts'
import { reviewRows } from './review-rows.ts'
import { judgmentRows, type ReadRows } from './row-reader.ts'

/** What became of the rows of a file: written + unchanged + undecided + rejected = lines. */
export interface JudgmentsReport {
  readonly project: number
  readonly lines: number
  readonly written: number
  /** Said before. */
  readonly unchanged: number
  /** Rows of a review file without a decision. */
  readonly undecided: number
  readonly rejected: number
  /** Of the rejected: the record, or its candidates, changed since a review file was written. */
  readonly changed: number
  readonly rejectedFile: string | null
}

/** Rows written in one transaction. */
const ROWS_PER_BATCH = 1000

/**
 * Appends the judgments of a file to those of a project; good rows are kept when others are rejected. A review file is
 * one by its columns.
 * @param rejectedPath null: rejected lines are only counted
 * @throws UsageError when the file is no table or is neither a review file nor has the columns `id` and `verdict`
 */
export async function importJudgments(
  db: Db,
  project: Project,
  source: ByteSource,
  format: FormatOverrides,
  rejectedPath: string | null,
): Promise<JudgmentsReport> {
  const table = await openTable(source, format)
  const review = findReviewColumns(table.columns)
  if (review === undefined) checkJudgmentColumns(table.columns, source.name, project.id)
  // A record that no run has seen yet gets its subject here.
  await refreshProjects(db, [project])
  const by = userName('import')
  const readRows =
    review === undefined
      ? judgmentRows(by, project.settings.service)
      : await reviewRows(db, project, review, by)
  const rejects = rejectedFile(rejectedPath)
  const counts = { written: 0, unchanged: 0, undecided: 0 }
  let changed = 0
  try {
    for await (const { records, rejected } of table.batches()) {
      const lines: RejectedLine[] = [...rejected]
      for (let from = 0; from < records.length; from += ROWS_PER_BATCH) {
        const part = records.slice(from, from + ROWS_PER_BATCH)
        const judged = await append(db, project, readRows, part, table)
        counts.written += judged.written
        counts.unchanged += judged.unchanged
        counts.undecided += judged.undecided
        changed += judged.changed
        lines.push(...judged.rejected)
      }
      await rejects.add(lines.toSorted((a, b) => a.line - b.line))
    }
    const rejected = rejects.count()
    const lines = counts.written + counts.unchanged + counts.undecided + rejected
    const path = await rejects.finish()
    return { project: project.id, lines, ...counts, rejected, changed, rejectedFile: path }
  } catch (error) {
    await rejects.discard()
    throw error
  }
}

interface AppendedRows {
  readonly written: number
  readonly unchanged: number
  readonly undecided: number
  readonly changed: number
  readonly rejected: readonly RejectedLine[]
}

async function append(
  db: Db,
  project: Project,
  readRows: ReadRows,
  records: readonly TableRecord[],
  table: Table,
): Promise<AppendedRows> {
  const { judgments, faults, undecided, changed } = await readRows(records)
  const { written, unchanged, refused } = await appendJudgments(db, project.id, judgments)
  const textOf = new Map(records.map((record) => [record.line, lineText(record, table)]))
  const rejected = [...faults, ...refused].map(({ line, reason }) => ({
    line,
    reason,
    raw: textOf.get(line) ?? '',
  }))
  return { written, unchanged, undecided, changed, rejected }
}

function lineText({ raw, cells }: TableRecord, { columns, format }: Table): string {
  if (raw !== null || format.kind === 'jsonl') return raw ?? ''
  return csvLine(
    columns.map((column) => cells[column] ?? ''),
    format,
  )
}
