import type { ColumnType, Generated, JSONColumnType, Selectable } from 'kysely'
import type { ExtractEnd, ExtractOptions } from '../../core/extract/extract-run.ts'
import type { SourceProfile } from '../../core/extract/source-profile.ts'

export interface ExtractRunTable {
  id: Generated<number>
  /** Name of the profile. */
  source: string
  /** Name that the datasets of its types are made of. */
  dataset: string
  profile: JSONColumnType<SourceProfile>
  types: JSONColumnType<string[]>
  options: JSONColumnType<ExtractOptions>
  /** Temporal's first run id of the workflow that has taken it up; null: none has yet. */
  temporal_run_id: string | null
  status: Generated<'open' | ExtractEnd>
  paused_reason: string | null
  /** When it was paused or let go last, by the clock of its workflow. */
  pause_moved_at: ColumnType<Date | null, Date | undefined, Date | null>
  /** When Temporal took the command to cancel. */
  cancel_requested_at: Date | null
  error_code: string | null
  error_message: string | null
  worker_count: number | null
  throughput_items_per_second: number | null
  started_at: Generated<Date>
  ended_at: ColumnType<Date | null, Date | undefined, Date | null>
}
export type ExtractRunRow = Selectable<ExtractRunTable>
