import type { Generated, JSONColumnType } from 'kysely'
import type { ProjectSettings } from '../../core/project-settings.ts'

export interface ProjectSettingTable {
  project_id: number
  revision: number
  settings: JSONColumnType<ProjectSettings>
  created_at: Generated<Date>
}
