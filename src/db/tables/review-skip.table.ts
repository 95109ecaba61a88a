import type { Generated } from 'kysely'

/** A record that a person left for later; it counts in their queue only. */
export interface ReviewSkipTable {
  subject_id: number
  skipped_by: string
  skipped_at: Generated<Date>
}
