import type { Generated, JSONColumnType, Selectable } from 'kysely'

export interface DatasetTable {
  id: Generated<number>
  name: string
  /** Column names in file order. */
  columns: JSONColumnType<string[]>
  /** Columns that make the external id; empty: ids are line numbers. */
  id_columns: JSONColumnType<string[]>
  /** How the file was written, for an export with the same bytes. */
  format: JSONColumnType<Record<string, unknown>>
  created_at: Generated<Date>
  imported_at: Generated<Date>
}
export type DatasetRow = Selectable<DatasetTable>
