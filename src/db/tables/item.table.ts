import type { Generated, JSONColumnType } from 'kysely'
import type { EntityType } from '../../core/matching/candidate.ts'

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
}
