export interface TableRecord {
  /** Place among the records of the file, rejected ones included, from 1. */
  readonly ordinal: number
  /** Physical line on which it starts, from 1. */
  readonly line: number
  readonly cells: Readonly<Record<string, string>>
  /** Its text, where `csvLine` would write it otherwise; always for JSONL. */
  readonly raw: string | null
}

export interface RejectedLine {
  readonly line: number
  /** A clause that continues "line 7 …". */
  readonly reason: string
  readonly raw: string
}

export interface TableBatch {
  readonly records: readonly TableRecord[]
  readonly rejected: readonly RejectedLine[]
}
