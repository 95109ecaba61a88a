import type { ColumnType, Generated } from 'kysely'
import type { RunPriority } from '../../core/pace.ts'

export interface ProjectTable {
  id: Generated<number>
  name: string
  about: string | null
  dataset_id: number
  revision: Generated<number>
  after_project_id: ColumnType<number | null, number | undefined, number | null>
  after_outcomes: ColumnType<string[] | null, string | undefined, string | null>
  /** Tasks in flight in a run; null: the default. */
  task_window: ColumnType<number | null, number | undefined, number | null>
  priority: ColumnType<RunPriority, RunPriority | undefined, RunPriority>
  weight: Generated<number>
  created_at: Generated<Date>
}
