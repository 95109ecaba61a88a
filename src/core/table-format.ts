/** How a file of records is written: enough to read it again, and to write its lines with the same bytes. */
export interface CsvFormat {
  readonly kind: 'csv'
  /** `utf-8`, `utf-16le`, `utf-16be`, `windows-1252`, or another label of the WHATWG encoding standard. */
  readonly encoding: string
  /** One character. */
  readonly delimiter: string
  /** One character; null: quotes are ordinary characters. */
  readonly quote: string | null
  readonly lineEnding: LineEnding
  /** The header line as it stands in the file, without its line ending. */
  readonly header: string
}

/** One JSON object per line. */
export interface JsonlFormat {
  readonly kind: 'jsonl'
  readonly encoding: string
  readonly lineEnding: LineEnding
}

export type TableFormat = CsvFormat | JsonlFormat

export type LineEnding = '\n' | '\r\n' | '\r'
