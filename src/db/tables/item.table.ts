import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { EntityType } from '../../core/matching/candidate.ts'

/** `missing`: deleted, or never there. */
export type ItemState = 'present' | 'merged' | 'missing'

export interface ItemTable {
  service: string
  external_id: string
  /** As last shown by a decision. */
  label: string | null
  description: string | null
  types: JSONColumnType<readonly EntityType[]>
  /** Property id → values of the `held_pids`; null until fetched. */
  properties: JSONColumnType<Record<string, unknown> | null>
  revision: number | null
  /** Pages of Wikipedia and its sisters; null: not asked for. */
  sitelinks: ColumnType<number | null, number | undefined, number | null>
  /** When what a decision shows of it changed. */
  fetched_at: Generated<Date>
  /** What has become of it, as last checked or fetched; null: never. */
  state: ColumnType<ItemState | null, ItemState | undefined, ItemState | null>
  /** Only of a merged one. */
  merged_into: ColumnType<string | null, string | undefined, string | null>
  checked_at: ColumnType<Date | null, Date | undefined, Date | null>
  /** When it could not be asked; null: never. */
  check_failed_at: ColumnType<Date | null, Date | undefined, Date | null>

  /** By language, of the `held_languages`. */
  labels: JSONColumnType<Record<string, string> | null>
  aliases: JSONColumnType<Record<string, readonly string[]> | null>
  descriptions: JSONColumnType<Record<string, string> | null>
  held_languages: readonly string[] | null
  held_pids: readonly string[] | null
  /** When these facts were fetched; null: never. */
  facts_at: Date | null

  /** Failed attempts to fetch it since it was last fetched, or since a run was planned. */
  attempts: Generated<number>
  next_attempt_at: Date | null
  error_code: string | null
  error_message: string | null
  /** No further attempt is made in this run. */
  has_failed: Generated<boolean>
  /** The open task that fetches it; void as soon as that task or its run has ended. */
  claimed_run_id: number | null
  claimed_task: number | null
  claimed_at: Date | null
}
