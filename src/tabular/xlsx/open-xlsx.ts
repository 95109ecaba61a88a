/**
 * A sheet of a spreadsheet (Office Open XML) as a table. The packed file is held in memory, and so are the texts its
 * cells share; the sheet itself streams. An export of what was imported is CSV.
 */
import type { CsvFormat } from '../../core/table-format.ts'
import { UsageError } from '../../errors.ts'
import type { ByteSource, OnRead } from '../byte-source.ts'
import { columnNames } from '../column-names.ts'
import { textFault } from '../escaped-bytes.ts'
import type { Table } from '../open-table.ts'
import type { RejectedLine, TableBatch, TableRecord } from '../table-batch.ts'
import { csvLine } from '../write-csv.ts'
import { brokenXlsx, tooLargeXlsx } from './broken-xlsx.ts'
import { readCellFormats } from './cell-formats.ts'
import type { CellContext } from './cell-text.ts'
import { chooseSheet } from './choose-sheet.ts'
import type { XlsxFile } from './read-part.ts'
import { columnName, readSheet, type SheetRow } from './read-sheet.ts'
import { readSharedStrings } from './shared-strings.ts'
import { readWorkbook, type Sheet } from './workbook.ts'
import { openZip } from './zip-archive.ts'

const MOST_PACKED_BYTES = 512 * 1024 * 1024
const EXPORTED = {
  kind: 'csv',
  encoding: 'utf-8',
  delimiter: ',',
  quote: '"',
  lineEnding: '\n',
} as const

/**
 * @param asked name or number of the sheet; undefined: the first
 * @throws UsageError `broken_xlsx`, `xlsx_too_large`, `no_workbook`, `unknown_sheet`, `empty_file`, `bad_header`
 */
export async function openXlsx(source: ByteSource, asked: string | undefined): Promise<Table> {
  const file = { name: source.name, archive: openZip(source.name, await packedBytes(source)) }
  refuseOtherZips(file)
  const workbook = await readWorkbook(file)
  const sheet = chooseSheet(source.name, workbook.sheets, asked)
  const context: CellContext = {
    sharedStrings: await readSharedStrings(file, workbook.sharedStringsPart),
    formats: await readCellFormats(file, workbook.stylesPart),
    isFrom1904: workbook.isFrom1904,
  }
  const header = await firstRow(file, sheet, context)
  const { columns, notes } = columnNames(headerCells(file, sheet, header))
  const format: CsvFormat = { ...EXPORTED, header: csvLine(columns, EXPORTED) }
  return {
    format,
    kindText: `spreadsheet, sheet "${sheet.name}"`,
    because: 'cells as shown',
    columns,
    notes: [...otherSheets(workbook.sheets, sheet), ...notes],
    batches: (onRead) => readRecords(file, sheet, context, { columns, after: header.line }, onRead),
  }
}

async function* readRecords(
  file: XlsxFile,
  sheet: Sheet,
  context: CellContext,
  { columns, after }: { readonly columns: readonly string[]; readonly after: number },
  onRead?: OnRead,
): AsyncGenerator<TableBatch> {
  let ordinal = 0
  for await (const rows of readSheet(file, sheet.part, context, onRead)) {
    const records: TableRecord[] = []
    const rejected: RejectedLine[] = []
    for (const row of rows) {
      if (row.line <= after) continue
      ordinal += 1
      const texts = columns.map((_, column) => row.cells.get(column) ?? '')
      const reason = row.fault ?? faultOf(row, columns.length) ?? textFault(texts.join(''))
      if (reason !== null) {
        rejected.push({ line: row.line, reason, raw: csvLine(texts, EXPORTED) })
        continue
      }
      const cells = Object.fromEntries(columns.map((name, column) => [name, texts[column] ?? '']))
      records.push({ ordinal, line: row.line, cells, raw: null })
    }
    if (records.length > 0 || rejected.length > 0) yield { records, rejected }
  }
}

function faultOf({ cells }: SheetRow, columns: number): string | null {
  const beyond = [...cells.keys()].find((column) => column >= columns)
  return beyond === undefined
    ? null
    : `has text in column ${columnName(beyond)}, which has no header`
}

async function firstRow(file: XlsxFile, sheet: Sheet, context: CellContext): Promise<SheetRow> {
  for await (const [first] of readSheet(file, sheet.part, context)) {
    if (first !== undefined) return first
  }
  throw new UsageError({
    code: 'empty_file',
    message: `Sheet "${sheet.name}" of ${file.name} is empty; expected a header row and records.`,
    hint: 'Take another sheet with --sheet NAME or its number.',
  })
}

function headerCells(file: XlsxFile, sheet: Sheet, { cells, fault }: SheetRow): readonly string[] {
  const texts = Array.from({ length: 1 + Math.max(-1, ...cells.keys()) }, (_, column) =>
    (cells.get(column) ?? '').replace(/\s+/gu, ' '),
  )
  const reason = fault ?? textFault(texts.join(''))
  if (reason === null) return texts
  throw new UsageError({
    code: 'bad_header',
    message: `The header of sheet "${sheet.name}" of ${file.name} cannot be used: it ${reason}.`,
    hint: 'The first row with text must name the columns.',
  })
}

function otherSheets(sheets: readonly Sheet[], taken: Sheet): readonly string[] {
  const others = sheets
    .map(({ name, isHidden }, index) => `${index + 1} "${name}"${isHidden ? ' (hidden)' : ''}`)
    .filter((_, index) => sheets[index] !== taken)
  return others.length === 0
    ? []
    : [`Sheet "${taken.name}" is taken; the others (--sheet): ${others.join(', ')}.`]
}

async function packedBytes(source: ByteSource): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of source.open()) {
    bytes += chunk.length
    if (bytes > MOST_PACKED_BYTES) {
      throw tooLargeXlsx(source.name, `has more than ${MOST_PACKED_BYTES / 1024 / 1024} MB`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function refuseOtherZips({ name, archive: { names } }: XlsxFile): void {
  if (names.includes('xl/workbook.bin')) {
    throw brokenXlsx(name, 'is a binary spreadsheet (.xlsb), which cannot be read')
  }
  if (names.some((part) => part.startsWith('xl/')) || names.includes('_rels/.rels')) return
  throw new UsageError({
    code: 'no_workbook',
    message: names.includes('content.xml')
      ? `${name} is an OpenDocument file; expected CSV, TSV, JSONL or XLSX.`
      : `${name} is a zip file without a spreadsheet in it; expected CSV, TSV, JSONL or XLSX.`,
    hint: 'Save it as .xlsx or as "CSV UTF-8", or unpack it first.',
  })
}
