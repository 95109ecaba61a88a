import type { Dataset } from '../../db/datasets.repo.ts'
import type { EntryResult } from '../../db/results.repo.ts'
import type { ExportRows } from './export-rows.ts'
import { matchFieldNames, matchFields } from './match-fields.ts'

/** One object per line: the imported one as it stands, with the match fields added. */
export function jsonlRows(
  dataset: Pick<Dataset, 'columns' | 'format'>,
  prefix: string,
  properties: readonly string[] = [],
): ExportRows {
  const added = addedFields(prefix, properties)
  return { head: '', row: (result) => `${objectText(dataset, added, result)}\n`, tail: '' }
}

/** The same objects as one list. */
export function jsonRows(
  dataset: Pick<Dataset, 'columns' | 'format'>,
  prefix: string,
  properties: readonly string[] = [],
): ExportRows {
  const added = addedFields(prefix, properties)
  return {
    head: '[',
    row: (result, isFirst) => `${isFirst ? '' : ','}\n${objectText(dataset, added, result)}`,
    tail: '\n]\n',
  }
}

/** Match fields and lists of property values; null: not fetched, or no item. */
function addedFields(prefix: string, properties: readonly string[]) {
  return (result: EntryResult): string => {
    const fields = matchFields(result)
    return JSON.stringify(
      Object.fromEntries([
        ...matchFieldNames.map((name) => [`${prefix}${name}`, fields[name]]),
        ...properties.map((property) => [`${prefix}${property}`, result.held?.[property] ?? null]),
      ]),
    )
  }
}

function objectText(
  { columns, format }: Pick<Dataset, 'columns' | 'format'>,
  addedText: (result: EntryResult) => string,
  result: EntryResult,
): string {
  const own = format.kind === 'jsonl' && result.raw !== null ? result.raw : ownText(columns, result)
  const added = addedText(result)
  const open = own.trim().slice(0, -1).trimEnd()
  return open === '{' ? added : `${open},${added.slice(1)}`
}

function ownText(columns: readonly string[], { source }: EntryResult): string {
  const present = columns.filter((column) => Object.hasOwn(source, column))
  return JSON.stringify(Object.fromEntries(present.map((column) => [column, source[column]])))
}
