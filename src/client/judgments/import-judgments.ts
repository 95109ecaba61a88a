import { userInfo } from 'node:os'
import type { Db } from '../../db/connect.ts'
import { appendJudgments, type IncomingJudgment } from '../../db/judgments.repo.ts'
import type { Project } from '../../db/projects.repo.ts'
import type { ByteSource } from '../../tabular/byte-source.ts'
import type { FormatOverrides } from '../../tabular/detect-format.ts'
import { openTable, type Table } from '../../tabular/open-table.ts'
import type { RejectedLine, TableRecord } from '../../tabular/table-batch.ts'
import { csvLine } from '../../tabular/write-csv.ts'
import { rejectedFile } from '../import/rejected-file.ts'
import { refreshProjects } from '../import/refresh-projects.ts'
import { checkColumns } from '../mapping/check-columns.ts'
import { judgmentOfRow } from './judgment-row.ts'

/** What became of the rows of a file: written + unchanged + rejected = lines. */
export interface JudgmentsReport {
  readonly project: number
  readonly lines: number
  readonly written: number
  /** Said before. */
  readonly unchanged: number
  readonly rejected: number
  readonly rejectedFile: string | null
}

/** Rows written in one transaction. */
const ROWS_PER_BATCH = 1000

/**
 * Appends the judgments of a file to those of a project; good rows are kept when others are rejected.
 * @param rejectedPath null: rejected lines are only counted
 * @throws UsageError when the file is no table or lacks the columns `id` and `verdict`
 */
export async function importJudgments(
  db: Db,
  project: Project,
  source: ByteSource,
  format: FormatOverrides,
  rejectedPath: string | null,
): Promise<JudgmentsReport> {
  const table = await openTable(source, format)
  checkColumns(['id', 'verdict'], table.columns, source.name)
  // A record that no run has seen yet gets its subject here.
  await refreshProjects(db, [project])
  const by = userName()
  const rejects = rejectedFile(rejectedPath)
  const counts = { written: 0, unchanged: 0 }
  try {
    for await (const { records, rejected } of table.batches()) {
      const lines: RejectedLine[] = [...rejected]
      for (let from = 0; from < records.length; from += ROWS_PER_BATCH) {
        const part = records.slice(from, from + ROWS_PER_BATCH)
        const judged = await append(db, project, by, part, table)
        counts.written += judged.written
        counts.unchanged += judged.unchanged
        lines.push(...judged.rejected)
      }
      await rejects.add(lines.toSorted((a, b) => a.line - b.line))
    }
    const rejected = rejects.count()
    const lines = counts.written + counts.unchanged + rejected
    const path = await rejects.finish()
    return { project: project.id, lines, ...counts, rejected, rejectedFile: path }
  } catch (error) {
    await rejects.discard()
    throw error
  }
}

async function append(
  db: Db,
  project: Project,
  by: string,
  records: readonly TableRecord[],
  table: Table,
): Promise<{ written: number; unchanged: number; rejected: readonly RejectedLine[] }> {
  const judgments: IncomingJudgment[] = []
  const rejected: RejectedLine[] = []
  const textOf = new Map(records.map((record) => [record.line, lineText(record, table)]))
  const reject = (line: number, reason: string) =>
    rejected.push({ line, reason, raw: textOf.get(line) ?? '' })
  for (const record of records) {
    const row = judgmentOfRow(record, by, project.settings.service)
    if ('judgment' in row) judgments.push(row.judgment)
    else reject(record.line, row.faults.join('; '))
  }
  const { written, unchanged, refused } = await appendJudgments(db, project.id, judgments)
  for (const { line, reason } of refused) reject(line, reason)
  return { written, unchanged, rejected }
}

function lineText({ raw, cells }: TableRecord, { columns, format }: Table): string {
  if (raw !== null || format.kind === 'jsonl') return raw ?? ''
  return csvLine(
    columns.map((column) => cells[column] ?? ''),
    format,
  )
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    // In a container the user id may have no name.
    return 'import'
  }
}
