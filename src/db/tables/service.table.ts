import type { ColumnType } from 'kysely'

/** A service by the name or address that projects call it, with what its manifest said last. */
export interface ServiceTable {
  name: string
  /** Template with `{{id}}`; null where there is none. */
  view_url: string | null
  identifier_space: string
  schema_space: string
  seen_at: ColumnType<Date, Date | undefined, Date>
}
