import type { Generated, JSONColumnType, Selectable } from 'kysely'
import type { QueueOptions } from '../../core/download/queue-options.ts'

/** How the files of a queue are fetched. */
export interface DownloadQueueTable {
  name: string
  options: JSONColumnType<QueueOptions>
  /** Temporal's first run id of the dispatcher that has it; null: none. */
  temporal_run_id: string | null
  paused_reason: string | null
  cancel_requested_at: Date | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
}
export type DownloadQueueRow = Selectable<DownloadQueueTable>
