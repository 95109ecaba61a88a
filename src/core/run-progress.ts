/** What a run's workflow knows of its own progress; the full picture comes from Postgres. */

export interface PauseRequest {
  /** Why it stands: `by user`, `unauthorised`, …; shown by `status`. */
  readonly reason: string
  /**
   * Resumes of the run that the sender knows of, when a task was turned away: an older refusal must not pause a run
   * that was resumed since. Absent from a person, who is always obeyed.
   */
  readonly resumes?: number
}

/** Payload of `resume`: from a person nothing; to shards and tasks the number of resumes of the run. */
export interface ResumeNotice {
  readonly resumes: number
}

/** Payload of `setWindow`: tasks in flight, in the whole run or, to a shard, in it; 1 to 500. */
export interface WindowRequest {
  readonly window: number
}

/** Payload of `shardRest`: a shard has started all its tasks, and these many go on. */
export interface ShardRest {
  /** Number of its first task. */
  readonly firstTask: number
  readonly left: number
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

/** A pause that nobody asked for lasts until somebody mends what it names; whoever asked for one will end it. */
export function needsMending(pausedReason: string | null): pausedReason is string {
  return pausedReason !== null && pausedReason !== PAUSED_BY_USER
}
