import { UsageError } from '../../errors.ts'
import { reviewExportCommand } from '../match/next-lines.ts'

/** A plain export has these behind its prefix; nobody can fill a decision into it. */
const EXPORTED = ['qid', 'status', 'runner_up'] as const

/**
 * Refuses a file that is no file of judgments, with what would be one.
 * @throws UsageError `unknown_column`
 */
export function checkJudgmentColumns(
  columns: readonly string[],
  file: string,
  project: number,
): void {
  const missing = ['id', 'verdict'].filter((column) => !columns.includes(column))
  if (missing.length === 0) return
  const isExport = EXPORTED.every((name) => columns.some((column) => column.endsWith(name)))
  const found = isExport
    ? 'is a plain export, which has no column to decide in'
    : `has no column ${missing.map((column) => `"${column}"`).join(' and no column ')}; its columns are ${columns.map((column) => `"${column}"`).join(', ')}`
  throw new UsageError({
    code: 'unknown_column',
    message: `${file} ${found}. Expected a review file with its decisions filled in, or the columns id, verdict, and qid where verdict is match.`,
    hint: `A review file to fill in: ${reviewExportCommand(project)}\nOr judge on a page: ./record-linker review --project ${project}`,
  })
}
