import type { TableFormat } from '../core/table-format.ts'
import { UsageError } from '../errors.ts'
import type { ByteSource, OnRead } from './byte-source.ts'
import { columnNames } from './column-names.ts'
import { CsvSplitter } from './csv-splitter.ts'
import { decodeText } from './decode-text.ts'
import { type DetectedFormat, detectFormat, type FormatOverrides } from './detect-format.ts'
import { textFault } from './escaped-bytes.ts'
import { isSpreadsheet } from './is-spreadsheet.ts'
import { readCsv } from './read-csv.ts'
import { readJsonl } from './read-jsonl.ts'
import type { TableBatch } from './table-batch.ts'

/** A file of records, whose start has been looked at. */
export interface Table {
  readonly format: TableFormat
  /** What it is, for people, where the format tells only how it is exported. */
  readonly kindText?: string
  /** Why this encoding, for people. */
  readonly because: string
  /** Columns in file order. Those of JSONL are complete only when all batches have been read. */
  readonly columns: readonly string[]
  readonly notes: readonly string[]
  /**
   * Reads from the first record to the last, never holding more than a piece of the file.
   */
  readonly batches: (onRead?: OnRead) => AsyncGenerator<TableBatch>
}

/**
 * Finds out how a file is written and what its columns are.
 * @throws UsageError when it cannot be a table (`empty_file`, `json_array`, `bad_header`, `unknown_sheet`, …)
 */
export async function openTable(
  source: ByteSource,
  overrides: FormatOverrides = {},
): Promise<Table> {
  if (await isSpreadsheet(source, overrides)) {
    const { openXlsx } = await import('./xlsx/open-xlsx.ts')
    return openXlsx(source, overrides.sheet)
  }
  const detected = await detectFormat(source, overrides)
  const text = (onRead?: OnRead) => decodeText(source.open(onRead), detected.encoding)
  return detected.kind === 'csv' ? openCsv(source, detected, text) : openJsonl(detected, text)
}

type ReadText = (onRead?: OnRead) => AsyncGenerator<string>

async function openCsv(
  source: ByteSource,
  detected: DetectedFormat & { kind: 'csv' },
  text: ReadText,
): Promise<Table> {
  const { because, ...written } = detected
  const dialect = { ...written, lineBreak: written.lineEnding === '\r' ? '\r' : '\n' } as const
  const header = await firstLine(new CsvSplitter(dialect), text())
  const fault = header === undefined ? 'is missing' : 'fault' in header ? header.fault : null
  if (header === undefined || 'fault' in header || textFault(header.raw) !== null) {
    throw new UsageError({
      code: 'bad_header',
      message: `The header of ${source.name} cannot be used: it ${fault ?? textFault(header?.raw ?? '')}.`,
      hint: 'The first line must name the columns. --encoding, --delimiter and --quote say how the file is written.',
    })
  }
  const { columns, notes } = columnNames(header.cells)
  return {
    format: { ...written, header: header.raw },
    because,
    columns,
    notes,
    batches: (onRead) => readCsv(text(onRead), dialect, columns),
  }
}

async function firstLine(splitter: CsvSplitter, text: AsyncIterable<string>) {
  for await (const piece of text) {
    const [first] = splitter.push(piece)
    if (first !== undefined) return first
  }
  return splitter.end()[0]
}

async function openJsonl(
  detected: DetectedFormat & { kind: 'jsonl' },
  text: ReadText,
): Promise<Table> {
  const { because, ...format } = detected
  const columns: string[] = []
  // The first batch shows the columns of most files; later ones may add some.
  for await (const _ of readJsonl(text(), columns)) break
  return {
    format,
    because,
    columns,
    notes: [],
    batches: (onRead) => readJsonl(text(onRead), columns),
  }
}
