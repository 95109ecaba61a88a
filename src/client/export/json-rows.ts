import type { Dataset } from '../../db/datasets.repo.ts'
import type { EntryResult } from '../../db/results.repo.ts'
import type { ExportRows } from './export-rows.ts'
import { matchFieldNames, matchFields } from './match-fields.ts'

/** One object per line: the imported one as it stands, with the match fields added. */
export function jsonlRows(
  dataset: Pick<Dataset, 'columns' | 'format'>,
  prefix: string,
): ExportRows {
  return { head: '', row: (result) => `${objectText(dataset, prefix, result)}\n`, tail: '' }
}

/** The same objects as one list. */
export function jsonRows(dataset: Pick<Dataset, 'columns' | 'format'>, prefix: string): ExportRows {
  return {
    head: '[',
    row: (result, isFirst) => `${isFirst ? '' : ','}\n${objectText(dataset, prefix, result)}`,
    tail: '\n]\n',
  }
}

function objectText(
  { columns, format }: Pick<Dataset, 'columns' | 'format'>,
  prefix: string,
  result: EntryResult,
): string {
  const own = format.kind === 'jsonl' && result.raw !== null ? result.raw : ownText(columns, result)
  const fields = matchFields(result)
  const added = JSON.stringify(
    Object.fromEntries(matchFieldNames.map((name) => [`${prefix}${name}`, fields[name]])),
  )
  const open = own.trim().slice(0, -1).trimEnd()
  return open === '{' ? added : `${open},${added.slice(1)}`
}

function ownText(columns: readonly string[], { source }: EntryResult): string {
  const present = columns.filter((column) => Object.hasOwn(source, column))
  return JSON.stringify(Object.fromEntries(present.map((column) => [column, source[column]])))
}
