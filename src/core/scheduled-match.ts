/** What a schedule and the workflow it starts say to each other. */
import type { RunOptions } from './run.ts'

export interface ScheduledMatchInput {
  readonly projectId: number
  readonly options: RunOptions
}

/**
 * `joined`: an equal run was going on, paused or not. `other_run_open`: one with other options was, and is left alone.
 */
export type ScheduledMatchOutcome =
  'started' | 'joined' | 'other_run_open' | 'nothing_due' | 'project_gone'

export interface ScheduledMatchResult {
  readonly outcome: ScheduledMatchOutcome
}
