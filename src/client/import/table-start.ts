/** The start of a file, read to be shown before anybody says what its columns are. */
import { fileSource } from '../../tabular/byte-source.ts'
import { openTable } from '../../tabular/open-table.ts'
import type { RejectedLine, TableRecord } from '../../tabular/table-batch.ts'
import { tableLines } from './table-lines.ts'

export interface TableStart {
  /** How the file is understood, for people, one line each. */
  readonly understood: readonly string[]
  readonly columns: readonly string[]
  readonly records: readonly TableRecord[]
  /** Among the lines that were read. */
  readonly rejected: readonly RejectedLine[]
}

/**
 * @param most records
 * @throws UsageError when it is no table
 */
export async function tableStart(path: string, most: number): Promise<TableStart> {
  const source = await fileSource(path)
  const table = await openTable(source)
  const records: TableRecord[] = []
  const rejected: RejectedLine[] = []
  for await (const batch of table.batches()) {
    records.push(...batch.records.slice(0, most - records.length))
    rejected.push(...batch.rejected.slice(0, most - rejected.length))
    if (records.length >= most || rejected.length >= most) break
  }
  // Columns of JSON lines show only in their records.
  const columns = [
    ...new Set([...table.columns, ...records.flatMap(({ cells }) => Object.keys(cells))]),
  ]
  return { understood: tableLines(source.name, table), columns, records, rejected }
}
