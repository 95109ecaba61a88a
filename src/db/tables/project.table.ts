import type { Generated, JSONColumnType, Selectable } from 'kysely'

export interface ProjectTable {
  id: Generated<number>
  name: string
  about: string | null
  dataset_id: number
  revision: Generated<number>
  after_project_id: number | null
  after_outcomes: JSONColumnType<string[] | null>
  created_at: Generated<Date>
}
export type ProjectRow = Selectable<ProjectTable>
