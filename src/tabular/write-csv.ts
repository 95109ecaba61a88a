import type { CsvFormat } from '../core/table-format.ts'

/** One CSV line without its ending; a cell is quoted only where it has to be. */
export function csvLine(
  cells: readonly string[],
  format: Pick<CsvFormat, 'delimiter' | 'quote'>,
): string {
  const { delimiter, quote } = format
  // A line of one blank cell would be a blank line, which readers leave out.
  if (cells.length === 1 && cells[0] === '' && quote !== null) return quote + quote
  return cells.map((cell) => csvCell(cell, delimiter, quote)).join(delimiter)
}

function csvCell(cell: string, delimiter: string, quote: string | null): string {
  if (quote === null) return cell
  const special =
    cell.includes(quote) || cell.includes(delimiter) || cell.includes('\n') || cell.includes('\r')
  return special ? quote + cell.replaceAll(quote, quote + quote) + quote : cell
}
