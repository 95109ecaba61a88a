import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { EntityType } from '../../core/matching/candidate.ts'

/** `missing`: deleted, or never there. */
export type ItemState = 'present' | 'merged' | 'missing'

export interface ItemTable {
  service: string
  external_id: string
  label: string | null
  description: string | null
  types: JSONColumnType<readonly EntityType[]>
  /** Property id → values; null until an item is fetched whole. */
  properties: JSONColumnType<Record<string, unknown> | null>
  revision: number | null
  fetched_at: Generated<Date>
  /** What has become of it, as last checked; null: never checked. */
  state: ColumnType<ItemState | null, ItemState | undefined, ItemState | null>
  /** Only of a merged one. */
  merged_into: ColumnType<string | null, string | undefined, string | null>
  checked_at: ColumnType<Date | null, Date | undefined, Date | null>
  /** When it could not be asked; null: never. */
  check_failed_at: ColumnType<Date | null, Date | undefined, Date | null>
}
