import type { TableFormat } from '../../core/table-format.ts'
import { type MappedRecord, mapRecord } from '../../core/matching/mapped-record.ts'
import type { DatasetMapping } from '../../db/tables/dataset.table.ts'
import type { Table } from '../../tabular/open-table.ts'
import type { RejectedLine } from '../../tabular/table-batch.ts'
import { checkMappedColumns } from '../mapping/check-columns.ts'
import { type MappingChanges } from '../mapping/mapping-file.ts'
import { type SuggestedMapping, suggestMapping } from '../../core/mapping/suggest-mapping.ts'
import { mappingFileOf } from '../mapping/apply-mapping.ts'
import { proposalLines } from './proposal-lines.ts'
import { recordId, rowId } from './record-id.ts'

export interface PreviewRecord extends MappedRecord {
  readonly line: number
  readonly id: string
  /** As they stand in the file. */
  readonly cells: Readonly<Record<string, string>>
}

/** What an import would do, found out without writing anything. */
export interface ImportPreview {
  readonly format: TableFormat
  readonly columns: readonly string[]
  readonly notes: readonly string[]
  readonly id: readonly string[]
  /** In the form of a mapping file; null: none was given. */
  readonly mapping: MappingChanges | null
  /** What the columns probably are; null: a mapping was given. */
  readonly suggested: SuggestedMapping | null
  readonly records: readonly PreviewRecord[]
  /** Rejected among the lines that were read. */
  readonly rejected: readonly RejectedLine[]
}

const RECORDS_SHOWN = 5
const REJECTED_SHOWN = 20
/** As many as the import page looks at: whether ids are distinct shows in many. */
const LOOKED_AT = 200

/**
 * Reads the start of a file as an import would.
 * @throws UsageError `unknown_column`
 */
export async function previewImport(
  name: string,
  table: Table,
  idColumns: readonly string[],
  mapping: DatasetMapping | null,
): Promise<ImportPreview> {
  checkMappedColumns(mapping, table.columns, name, idColumns)
  const records: PreviewRecord[] = []
  const rejected: RejectedLine[] = []
  const looked: Readonly<Record<string, string>>[] = []
  for await (const batch of table.batches()) {
    rejected.push(...batch.rejected)
    looked.push(...batch.records.slice(0, LOOKED_AT - looked.length).map(({ cells }) => cells))
    for (const { ordinal, line, cells, raw } of batch.records) {
      const id = idColumns.length === 0 ? { id: rowId(ordinal) } : recordId(cells, idColumns)
      if ('fault' in id) rejected.push({ line, reason: id.fault, raw: raw ?? '' })
      else if (records.length < RECORDS_SHOWN) {
        const mapped =
          mapping === null
            ? { names: [], types: [], properties: [] }
            : mapRecord(cells, { ...mapping, service: '' })
        records.push({ line, id: id.id, cells, ...mapped })
      }
    }
    if (records.length === RECORDS_SHOWN || rejected.length >= REJECTED_SHOWN) break
  }
  const { format, columns, notes } = table
  const shown = mapping === null ? null : mappingFileOf(mapping)
  return {
    format,
    columns,
    notes,
    id: idColumns,
    mapping: shown,
    suggested:
      mapping === null
        ? suggestMapping(
            columns.map((column) => ({
              column,
              cells: looked.map((cells) => cells[column] ?? ''),
            })),
          )
        : null,
    records,
    rejected: rejected.slice(0, REJECTED_SHOWN),
  }
}

/** The preview for people. */
export function previewText(preview: ImportPreview): readonly string[] {
  const { id, mapping, suggested, records, rejected } = preview
  return [
    `id: ${id.length === 0 ? 'none: records are row-1, row-2, …' : id.join(' + ')}`,
    ...mappingLines(mapping),
    ...(suggested === null ? [] : proposalLines(suggested, records)),
    ...(mapping === null ? [] : records).flatMap((record) => [
      `line ${record.line}: ${record.id}`,
      `  names ${listText(record.names)}`,
      ...(record.givenItem === undefined ? [] : [`  item ${record.givenItem}, to be verified`]),
      ...(record.types.length === 0 ? [] : [`  types ${listText(record.types)}`]),
      ...record.properties.map(({ pid, use, values }) => `  ${pid} (${use}) ${listText(values)}`),
    ]),
    ...rejected.map(({ line, reason }) => `line ${line} would be rejected: it ${reason}`),
  ]
}

function mappingLines(mapping: MappingChanges | null): readonly string[] {
  if (mapping === null) return ['mapping: none given; proposed for each column:']
  const { name, variants = [], properties = [], earlier } = mapping
  const propertiesOf = (use: string) =>
    properties.filter((one) => one.use === use).map((one) => `${one.pid}=${one.columns.join('+')}`)
  const sent = [
    name ?? '',
    ...variants.map(({ column, ...rest }) =>
      'separator' in rest && rest.separator !== undefined
        ? `${column} (split at "${rest.separator}")`
        : column,
    ),
    ...propertiesOf('send'),
    ...(earlier?.use === 'verify' ? [earlier.column] : []),
  ]
  const compared = propertiesOf('compare')
  return [
    `leaves this machine: ${sent.join(', ')}`,
    ...(compared.length === 0 ? [] : [`compared here only: ${compared.join(', ')}`]),
    ...(earlier?.use === 'judge' ? [`taken as judged: ${earlier.column}`] : []),
  ]
}

function listText(values: readonly string[]): string {
  return values.length === 0 ? '(none)' : values.map((value) => JSON.stringify(value)).join(', ')
}
