import type { ColumnType, Generated } from 'kysely'
import type { HeldValue } from '../../core/matching/candidate.ts'

/** What an item states for a property, kept apart from the answers of lookups. */
export interface ItemValueTable {
  service: string
  external_id: string
  property: string
  /** Empty: it states nothing; null: it could not be asked. */
  held: ColumnType<readonly HeldValue[] | null, string | null, string | null>
  /** When `held` was answered. */
  fetched_at: ColumnType<Date, Date | undefined, Date>
  /** The extension that asked in vain: another one asks again. */
  failed_in: string | null
  /** Failed ones in that extension. */
  attempts: Generated<number>
  error_code: string | null
  error_message: string | null
}
