import type { Dataset } from '../../db/datasets.repo.ts'
import type { Db } from '../../db/connect.ts'
import { type DuplicateEntry, importEntries, type IncomingEntry } from '../../db/entry-import.ts'
import type { DatasetMapping } from '../../db/tables/dataset.table.ts'
import { UsageError } from '../../errors.ts'
import type { ByteSource } from '../../tabular/byte-source.ts'
import type { FormatOverrides } from '../../tabular/detect-format.ts'
import { openTable, type Table } from '../../tabular/open-table.ts'
import { csvLine } from '../../tabular/write-csv.ts'
import { checkColumns, checkMappedColumns } from '../mapping/check-columns.ts'
import { EarlierCellCount, type EarlierCells, type EarlierColumn } from './earlier-cells.ts'
import { idColumnsFor, sameDialect, shapeAfter } from './dataset-match.ts'
import { recordId, rowId } from './record-id.ts'
import { type RejectedFile, rejectedFile } from './rejected-file.ts'

export interface ImportRequest {
  readonly source: ByteSource
  readonly format: FormatOverrides
  readonly datasetName: string
  /** undefined: those of the dataset; none when it is new. */
  readonly idColumns?: readonly string[] | undefined
  readonly append: boolean
  /** Counts what would become of the records, and writes nothing. */
  readonly isTrial?: boolean
  /** Mappings that must still find their columns, with what to call their owner. */
  readonly readers: readonly { readonly owner: string; readonly mapping: DatasetMapping }[]
  /** Column with items of earlier matches, to be looked at on the way. */
  readonly earlier?: EarlierColumn | undefined
  /** null: rejected lines are only counted. */
  readonly rejectedPath: string | null
  readonly onProgress?: (progress: ImportProgress) => void
}

export interface ImportProgress {
  readonly records: number
  /** 0 to 1; null: not known. */
  readonly share: number | null
}

/** What became of the records of a file: new + changed + unchanged + rejected = lines. */
export interface ImportReport {
  readonly dataset: string
  readonly datasetId: number
  readonly lines: number
  readonly new: number
  readonly changed: number
  readonly unchanged: number
  /** Records of the dataset that the file does not have; they are kept. */
  readonly absent: number
  readonly rejected: number
  readonly rejectedFile: string | null
  /** Only where the mapping has a column with earlier matches. */
  readonly earlier?: EarlierCells
}

/**
 * Imports a file into a dataset, as a whole or not at all.
 * @param onTable told how the file was understood, before anything is written
 * @throws UsageError when the file is no table, lacks a column, or does not fit the dataset
 */
export async function importRecords(
  db: Db,
  request: ImportRequest,
  onTable: (table: Table) => void = () => undefined,
): Promise<ImportReport> {
  const { source, datasetName, append } = request
  const table = await openTable(source, request.format)
  onTable(table)
  // JSONL tells its columns only when it has been read to its end.
  if (table.format.kind === 'csv') checkReaders(request, table)
  const rejects = rejectedFile(request.rejectedPath)
  let idColumns: readonly string[] = []
  const tally = { accepted: 0 }
  const earlier = request.earlier === undefined ? null : new EarlierCellCount(request.earlier)
  try {
    const {
      datasetId,
      duplicates: _,
      ...counts
    } = await importEntries(db, {
      datasetName,
      append,
      isTrial: request.isTrial ?? false,
      entries: (existing, lastPosition) => {
        idColumns = idColumnsFor(datasetName, existing, request.idColumns, append)
        if (table.format.kind === 'csv') checkColumns(idColumns, table.columns, source.name)
        return entriesOf(
          request,
          table,
          { existing, lastPosition, idColumns, tally, earlier },
          rejects,
        )
      },
      onDuplicate: (duplicate) => rejects.add([rejectedDuplicate(duplicate, table)]),
      facts: (existing) => {
        if (tally.accepted === 0) throw nothingToImport(source.name, rejects.count())
        checkColumns(idColumns, table.columns, source.name)
        checkReaders(request, table)
        return { idColumns, ...shapeAfter(existing, table, append) }
      },
    })
    const lines = counts.new + counts.changed + counts.unchanged + rejects.count()
    const rejectedPath = await rejects.finish()
    const rejected = { rejected: rejects.count(), rejectedFile: rejectedPath }
    const found = earlier === null ? {} : { earlier: earlier.report() }
    return { dataset: datasetName, datasetId, lines, ...counts, ...rejected, ...found }
  } catch (error) {
    // When no line was good the file of rejected ones is what helps.
    if (isNothingToImport(error)) await rejects.finish()
    else await rejects.discard()
    throw error
  }
}

interface Place {
  readonly existing: Dataset | undefined
  readonly lastPosition: number
  readonly idColumns: readonly string[]
  readonly tally: { accepted: number }
  readonly earlier: EarlierCellCount | null
}

async function* entriesOf(
  request: ImportRequest,
  table: Table,
  { existing, lastPosition, idColumns, tally, earlier }: Place,
  rejects: RejectedFile,
): AsyncGenerator<readonly IncomingEntry[]> {
  const { source, append, onProgress } = request
  const offset = append ? lastPosition : 0
  const keepsRaw = !append || existing === undefined || sameDialect(existing.format, table.format)
  let bytesRead = 0
  let records = 0
  for await (const batch of table.batches((bytes) => (bytesRead += bytes))) {
    const rejected = [...batch.rejected]
    const entries: IncomingEntry[] = []
    for (const { ordinal, line, cells, raw } of batch.records) {
      const position = offset + ordinal
      const id = idColumns.length === 0 ? { id: rowId(position) } : recordId(cells, idColumns)
      if ('fault' in id) {
        rejected.push({ line, reason: id.fault, raw: raw ?? lineText(cells, table) })
        continue
      }
      const kept = keepsRaw ? raw : null
      earlier?.add(line, cells)
      entries.push({ position, line, externalId: id.id, source: cells, raw: kept })
    }
    await rejects.add(rejected.toSorted((a, b) => a.line - b.line))
    tally.accepted += entries.length
    records += batch.records.length + batch.rejected.length
    onProgress?.({ records, share: source.sizeBytes ? bytesRead / source.sizeBytes : null })
    yield entries
  }
}

function checkReaders({ readers, source, idColumns }: ImportRequest, table: Table): void {
  for (const { owner, mapping } of readers) {
    checkMappedColumns(mapping, table.columns, `${source.name} (read by ${owner})`, idColumns ?? [])
  }
}

function rejectedDuplicate(
  { line, externalId, firstLine, source, raw }: DuplicateEntry,
  table: Table,
) {
  const reason = `has the id "${externalId}" of line ${firstLine}`
  return { line, reason, raw: raw ?? lineText(source, table) }
}

function lineText(cells: DuplicateEntry['source'], { format, columns }: Table): string {
  if (format.kind === 'jsonl') return JSON.stringify(cells)
  return csvLine(
    columns.map((column) => cells[column] ?? ''),
    format,
  )
}

const NOTHING = 'nothing_to_import'

function nothingToImport(name: string, rejected: number): UsageError {
  return new UsageError({
    code: NOTHING,
    message:
      rejected === 0
        ? `${name} has a header and no records.`
        : rejected === 1
          ? `The only record of ${name} cannot be imported; the reason is in the file of rejected lines.`
          : `None of the ${rejected} records of ${name} can be imported; the reasons are in the file of rejected lines.`,
    hint: 'Look at how the file was understood with --dry-run.',
  })
}

function isNothingToImport(error: unknown): boolean {
  return error instanceof UsageError && error.code === NOTHING
}
