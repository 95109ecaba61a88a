import type { ColumnType, Generated } from 'kysely'
import type { TypeState } from '../../core/extract/extract-run.ts'
import type { LandedItems } from '../extract-landing.ts'

/** How far a content type of a run is; changed with each page, in its transaction. */
export interface ExtractCheckpointTable {
  run_id: number
  type: string
  /** Name of the dataset that its items become. */
  dataset: string
  state: Generated<TypeState>
  /** Items asked for per page; only ever smaller. */
  page_size: number
  pages_done: Generated<number>
  rows_done: Generated<number>
  rows_without_id: Generated<number>
  first_total: number | null
  last_total: number | null
  /** Code of what ended the list early. */
  problem: string | null
  /** Why it is not complete. */
  code: string | null
  message: string | null
  landed: ColumnType<LandedItems | null, string | undefined, string | null>
  completed_at: Date | null
}

export interface ExtractPageTable {
  run_id: number
  type: string
  /** Items before it, or, where pages are chained, pages before it. */
  position: number
  state: Generated<'open' | 'stored' | 'failed'>
  /** Items asked for. */
  asked: number
  rows: Generated<number>
  /** How far the next position is. */
  advance: Generated<number>
  next_size: Generated<number>
  is_last: Generated<boolean>
  total: number | null
  /** What it named as the next page. */
  next_cursor: string | null
  next_hash: Buffer | null
  /** SHA-256 of its ids in order. */
  ids_hash: Buffer | null
  details_done: Generated<boolean>
  /** Failed attempts. */
  attempts: Generated<number>
  attempts_at_size: Generated<number>
  next_attempt_at: Date | null
  error_code: string | null
  error_message: string | null
  worker: string | null
  stored_at: Date | null
}
