import type { TableFormat } from '../../core/table-format.ts'
import type { Dataset } from '../../db/datasets.repo.ts'
import { UsageError } from '../../errors.ts'

/**
 * Which columns make the ids, given what the dataset had before.
 * @param asked undefined: not said
 * @throws UsageError `ids_differ`, `no_ids`
 */
export function idColumnsFor(
  name: string,
  existing: Dataset | undefined,
  asked: readonly string[] | undefined,
  append: boolean,
): readonly string[] {
  if (existing === undefined) return asked ?? []
  const { idColumns } = existing
  if (asked !== undefined && asked.join('\n') !== idColumns.join('\n')) {
    throw new UsageError({
      code: 'ids_differ',
      message: `Dataset "${name}" has ${idsText(idColumns)}; --id asks for ${idsText(asked)}.`,
      hint: 'Leave --id out, or import into a new dataset.',
    })
  }
  if (idColumns.length === 0 && !append) {
    throw new UsageError({
      code: 'no_ids',
      message: `Dataset "${name}" was imported without --id, so it cannot be told which of its records are these.`,
      hint: 'Add the lines as new records with --append, or import into a new dataset with --id COLUMN.',
    })
  }
  return idColumns
}

/**
 * Columns and format of the dataset after the import; what is appended keeps them.
 * @throws UsageError `columns_differ`
 */
export function shapeAfter(
  existing: Dataset | undefined,
  file: { readonly columns: readonly string[]; readonly format: TableFormat },
  append: boolean,
): { readonly columns: readonly string[]; readonly format: TableFormat } {
  if (existing === undefined || !append) return file
  const more = file.columns.filter((column) => !existing.columns.includes(column))
  if (more.length > 0 && existing.format.kind === 'csv') {
    throw new UsageError({
      code: 'columns_differ',
      message: `The file has columns that dataset "${existing.name}" has not: ${more.join(', ')}.`,
      hint: 'What is appended must have the columns of the first file.',
    })
  }
  return { columns: [...existing.columns, ...more], format: existing.format }
}

/** Whether a line of a file may stand as it is in an export of the dataset. */
export function sameDialect(a: TableFormat, b: TableFormat): boolean {
  if (a.kind === 'jsonl' || b.kind === 'jsonl') return a.kind === b.kind
  return a.delimiter === b.delimiter && a.quote === b.quote
}

function idsText(columns: readonly string[]): string {
  return columns.length === 0 ? 'no id columns' : `the id ${columns.join(' + ')}`
}
