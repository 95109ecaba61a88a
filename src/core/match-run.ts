/** What workflows and activities of a match run hand each other: ids, ranges and counts, never cell text. */
import type { RunOptions } from './run.ts'

export interface MatchProjectInput {
  readonly projectId: number
  readonly settingsRevision: number
  readonly options: RunOptions
  /** The search attributes are registered on this server, so the workflow may set them. */
  readonly searchAttributes: boolean
  readonly sizes?: Partial<MatchSizes>
  /** Set when the workflow continues as new. */
  readonly carried?: CarriedRun
}

export interface MatchSizes {
  /**
   * Tasks in flight in the whole run. The permits of a domain are with one process at a time, and a task is where
   * chance has put it: of a few tasks, none may be there.
   */
  readonly window: number
  /** Up to so many tasks the project starts itself; above, each shard owns so many. */
  readonly tasksPerShard: number
  readonly shardsInFlight: number
  /** Then the project's workflow continues as new. */
  readonly shardsPerExecution: number
}

export const defaultMatchSizes: MatchSizes = {
  window: 24,
  tasksPerShard: 500,
  shardsInFlight: 2,
  shardsPerExecution: 200,
}

export interface CarriedRun {
  readonly run: OpenedRun
  readonly round: number
  readonly tasks: PlannedTasks
  readonly nextShard: number
}

export interface OpenedRun {
  readonly runId: number
  /** Per project: 1, 2, 3 … */
  readonly number: number
  readonly projectId: number
  /** Tasks in flight that its project wants; null or absent: the default. */
  readonly window?: number | null
}

/** Task numbers `first` to `first + count - 1`. */
export interface PlannedTasks {
  readonly first: number
  readonly count: number
  /** From this number on tasks are quick: few records each, with their answers at hand. Absent: none is. */
  readonly quickFrom?: number
}

export function isQuick({ quickFrom }: PlannedTasks, task: number): boolean {
  return quickFrom !== undefined && task >= quickFrom
}

export interface MatchTaskInput {
  readonly run: OpenedRun
  readonly task: number
  /** Workflow id of the project's workflow: told when the service turns the run away. */
  readonly rootWorkflowId: string
  /** Resumes of the run before this started. */
  readonly resumes: number
  /** Few records with their answers at hand: decided without an activity of the server, which would cost more. */
  readonly isQuick?: boolean
}

export interface MatchShardInput {
  readonly run: OpenedRun
  readonly tasks: PlannedTasks
  readonly window: number
  readonly rootWorkflowId: string
  readonly resumes: number
}

export interface MatchProjectResult {
  readonly run: number
  readonly tasks: number
}

/** Failure type of an activity that found its run paused; not retried by Temporal, taken up on resume. */
export const RUN_PAUSED = 'run_paused'
