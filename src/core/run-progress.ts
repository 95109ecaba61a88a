/** What a run's workflow knows of its own progress; the full picture comes from Postgres. */

export interface PauseRequest {
  /** Why it stands: `by user`, `unauthorised`, …; shown by `status`. */
  readonly reason: string
}

/** Answer of the `progress` query. Tasks, not records: records are counted in Postgres. */
export interface RunProgressCounts {
  readonly run: number
  readonly phase: 'planning' | 'running' | 'paused' | 'finishing' | 'finished'
  readonly tasksTotal: number
  readonly tasksDone: number
  readonly tasksInFlight: number
}

/** Reason of a pause that a person asked for; any other was caused by the service. */
export const PAUSED_BY_USER = 'by user'
