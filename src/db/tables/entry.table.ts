import type { ColumnType, Generated, JSONColumnType } from 'kysely'

export interface EntryTable {
  id: Generated<number>
  dataset_id: number
  external_id: string
  /** Order in the file of the last import. */
  position: number
  /** Column name → cell text. */
  source: JSONColumnType<Record<string, string>>
  /** The line as it was, where our writer would write other bytes; else null. */
  raw: string | null
  /** SHA-256 over all cells. */
  source_hash: Buffer
  absent_since: Date | null
  imported_at: ColumnType<Date, Date | undefined, Date>
}
