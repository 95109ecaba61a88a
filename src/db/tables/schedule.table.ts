import type { Generated } from 'kysely'

export interface ScheduleTable {
  project_id: number
  cron: string
  /** IANA name. */
  time_zone: string
  is_paused: Generated<boolean>
  created_at: Generated<Date>
}
