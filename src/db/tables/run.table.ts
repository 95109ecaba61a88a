import type { ColumnType, Generated, JSONColumnType, Selectable } from 'kysely'
import type { RunOptions, RunPlan } from '../../core/run.ts'

export type RunStatus = 'open' | 'completed' | 'failed' | 'cancelled' | 'terminated'

export interface RunTable {
  id: Generated<number>
  project_id: number
  number: number
  workflow_id: string
  /** Temporal's first run id of the workflow: makes opening a run idempotent. */
  temporal_run_id: string
  status: Generated<RunStatus>
  settings_revision: number
  options: JSONColumnType<RunOptions>
  is_sample: Generated<boolean>
  /** Answers from before this moment are asked for again; null: none are. */
  refresh_before: Date | null
  paused_reason: string | null
  /** When it was paused or let go last, by the clock of its workflow. */
  pause_moved_at: ColumnType<Date | null, Date | undefined, Date | null>
  /** When Temporal took the command to cancel; a cancel from its UI is not seen here. */
  cancel_requested_at: Date | null
  plan: ColumnType<RunPlan | null, string | null | undefined, string | null>
  error_code: string | null
  error_message: string | null
  started_at: Generated<Date>
  ended_at: ColumnType<Date | null, Date | undefined, Date | null>
}
export type RunRow = Selectable<RunTable>
