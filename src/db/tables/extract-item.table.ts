import type { ColumnType, Generated } from 'kysely'

/** What an item is, once for all runs in which it is the same. */
export interface ExtractBodyTable {
  /** SHA-256 of the text. */
  hash: Buffer
  body: ColumnType<unknown, string, never>
}

/** An item as one run saw it. */
export interface ExtractItemTable {
  run_id: number
  type: string
  item_id: string
  /** Of the page that had it first. */
  position: number
  /** Place in that page. */
  ordinal: number
  content_hash: Buffer
  /** null: nothing more is asked for it. */
  detail: 'open' | 'stored' | 'failed' | null
  attempts: Generated<number>
  next_attempt_at: Date | null
}

/** What could not be read, for good. */
export interface ExtractErrorTable {
  id: Generated<number>
  run_id: number
  type: string
  item_id: string | null
  position: number | null
  /** Process that met it. */
  worker: string
  attempt: number
  code: string
  message: string
  at: Generated<Date>
}
