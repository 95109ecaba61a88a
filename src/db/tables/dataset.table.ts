import type { ColumnType, Generated, JSONColumnType, Selectable } from 'kysely'
import type { ProjectSettings } from '../../core/project-settings.ts'
import type { TableFormat } from '../../core/table-format.ts'

/** What projects of a dataset start with, unless they say otherwise. */
export type DatasetMapping = Omit<ProjectSettings, 'service'>

export interface DatasetTable {
  id: Generated<number>
  name: string
  /** Column names in file order. */
  columns: JSONColumnType<string[]>
  /** Columns that make the external id; empty: ids are line numbers. */
  id_columns: JSONColumnType<string[]>
  /** How the file was written, for an export with the same bytes. */
  format: JSONColumnType<TableFormat>
  /** null: none was given at an import. */
  mapping: ColumnType<DatasetMapping | null, string | undefined, string | null>
  created_at: Generated<Date>
  imported_at: Generated<Date>
}
export type DatasetRow = Selectable<DatasetTable>
