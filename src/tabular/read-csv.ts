import { type CsvDialect, CsvSplitter, type SplitLine } from './csv-splitter.ts'
import { textFault } from './escaped-bytes.ts'
import type { RejectedLine, TableBatch, TableRecord } from './table-batch.ts'
import { csvLine } from './write-csv.ts'

/** The records after the header, one batch per piece of text. */
export async function* readCsv(
  text: AsyncIterable<string>,
  dialect: CsvDialect,
  columns: readonly string[],
): AsyncGenerator<TableBatch> {
  const splitter = new CsvSplitter(dialect)
  // The header is the record before the first.
  let ordinal = -1
  const batch = (lines: readonly SplitLine[]): TableBatch => {
    const records: TableRecord[] = []
    const rejected: RejectedLine[] = []
    for (const line of lines) {
      ordinal += 1
      if (ordinal === 0) continue
      const reason = faultOf(line, columns.length)
      if (reason !== null || 'fault' in line) {
        rejected.push({ line: line.line, reason: reason ?? '', raw: line.raw })
        continue
      }
      const cells = Object.fromEntries(
        columns.map((column, index) => [column, line.cells[index] ?? '']),
      )
      const raw = csvLine(line.cells, dialect) === line.raw ? null : line.raw
      records.push({ ordinal, line: line.line, cells, raw })
    }
    return { records, rejected }
  }
  for await (const piece of text) {
    const lines = splitter.push(piece)
    if (lines.length > 0) yield batch(lines)
  }
  const lines = splitter.end()
  if (lines.length > 0) yield batch(lines)
}

function faultOf(line: SplitLine, columns: number): string | null {
  if ('fault' in line) return line.fault
  if (line.cells.length !== columns) {
    return `has ${line.cells.length} of ${columns} cells`
  }
  return textFault(line.raw)
}
