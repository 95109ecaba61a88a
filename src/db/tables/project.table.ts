import type { ColumnType, Generated } from 'kysely'

export interface ProjectTable {
  id: Generated<number>
  name: string
  about: string | null
  dataset_id: number
  revision: Generated<number>
  after_project_id: ColumnType<number | null, number | undefined, number | null>
  after_outcomes: ColumnType<string[] | null, string | undefined, string | null>
  created_at: Generated<Date>
}
