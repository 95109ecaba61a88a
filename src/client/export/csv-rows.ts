import type { CsvFormat } from '../../core/table-format.ts'
import type { Dataset } from '../../db/datasets.repo.ts'
import type { EntryResult } from '../../db/results.repo.ts'
import { csvLine } from '../../tabular/write-csv.ts'
import type { AddedColumns } from './added-columns.ts'
import { defuseFormula } from './defuse-formula.ts'
import type { ExportRows } from './export-rows.ts'

const COMMA = { delimiter: ',', quote: '"', lineEnding: '\n' } as const
const BYTE_ORDER_MARK = '\ufeff'

/**
 * CSV in UTF-8, written as the file of the dataset was: each line starts with the line that was imported, then come
 * the added columns.
 * @param excel adds a byte order mark, and defuses cells that a spreadsheet would run as formulas
 */
export function csvRows<Row extends EntryResult>(
  { columns, format }: Pick<Dataset, 'columns' | 'format'>,
  added: AddedColumns<Row>,
  excel: boolean,
): ExportRows<Row> {
  const written = format.kind === 'csv' ? format : COMMA
  const isSafe = columns.every((column) => safe(column) === column)
  const header =
    format.kind === 'csv' && isSafe ? format.header : csvLine(columns.map(safe), written)
  return {
    head: `${excel ? BYTE_ORDER_MARK : ''}${line(header, added.names, written)}`,
    row(result) {
      const values = added.values(result).map((value) => safe(String(value ?? '')))
      return line(ownPart(result), values, written)
    },
    tail: '',
  }

  function ownPart(result: EntryResult): string {
    const cells = columns.map((column) => cellOf(result, column))
    const safeCells = cells.map(safe)
    const keepsRaw = format.kind === 'csv' && result.absentSince === null
    const unsafe = safeCells.some((cell, index) => cell !== cells[index])
    return keepsRaw && !unsafe && result.raw !== null ? result.raw : csvLine(safeCells, written)
  }

  function safe(cell: string): string {
    return excel ? defuseFormula(cell) : cell
  }
}

function line(
  own: string,
  added: readonly string[],
  written: Pick<CsvFormat, 'delimiter' | 'quote' | 'lineEnding'>,
): string {
  const { delimiter, quote, lineEnding } = written
  // A file without quotes has no way to write a delimiter or a line break in a cell.
  const cells =
    quote === null
      ? added.map((cell) => cell.replace(/[\r\n]/g, ' ').replaceAll(delimiter, ' '))
      : added
  return `${own}${delimiter}${csvLine(cells, written)}${lineEnding}`
}

function cellOf({ source }: EntryResult, column: string): string {
  return Object.hasOwn(source, column) ? (source[column] ?? '') : ''
}
