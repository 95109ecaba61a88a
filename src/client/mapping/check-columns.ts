import { distance } from 'fastest-levenshtein'
import { mappedColumns } from '../../core/matching/mapped-record.ts'
import type { DatasetMapping } from '../../db/tables/dataset.table.ts'
import { UsageError } from '../../errors.ts'

/**
 * Refuses columns that are not there, with those that are.
 * @param wanted names of columns; @param columns the real ones; @param where `brands.csv`, `dataset "brands"`
 * @throws UsageError `unknown_column`
 */
export function checkColumns(
  wanted: readonly string[],
  columns: readonly string[],
  where: string,
): void {
  const missing = wanted.filter((column) => !columns.includes(column))
  if (missing.length === 0) return
  const found = missing.map((column) => {
    const near = nearestColumn(column, columns)
    return near === undefined ? `"${column}"` : `"${column}" (is it "${near}"?)`
  })
  throw new UsageError({
    code: 'unknown_column',
    message: `${where} has no column ${found.join(' and no column ')}. Its columns are: ${columns.map((column) => `"${column}"`).join(', ')}.`,
    hint:
      columns.length === 1
        ? 'Only one column was found; if there are more, say what is between them with --delimiter, or which sheet of a spreadsheet with --sheet.'
        : 'Column names are taken exactly, capitals and spaces included.',
  })
}

/** As `checkColumns`, for everything a mapping reads, and the ids: all that is wrong is told at once. */
export function checkMappedColumns(
  mapping: DatasetMapping | null,
  columns: readonly string[],
  where: string,
  idColumns: readonly string[] = [],
): void {
  const mapped = mapping === null ? [] : mappedColumns({ ...mapping, service: '' })
  checkColumns([...new Set([...idColumns, ...mapped])], columns, where)
}

/** The column that was probably meant: at most a third of its letters differ. */
function nearestColumn(wanted: string, columns: readonly string[]): string | undefined {
  const folded = wanted.trim().toLowerCase()
  const [best] = columns
    .map((column) => ({ column, errors: distance(folded, column.trim().toLowerCase()) }))
    .toSorted((a, b) => a.errors - b.errors)
  return best !== undefined && best.errors <= Math.ceil(folded.length / 3) ? best.column : undefined
}
