/** What workflow and activities of a queue hand each other: ids and counts, never an address. */

export interface DownloadQueueInput {
  readonly queue: string
  /** Ends when nothing is left to be fetched; else it waits for more. */
  readonly drain: boolean
  /** Only tests change it. */
  readonly eventsPerExecution?: number
}

export interface ClaimedDownloads {
  readonly jobIds: readonly number[]
  /** What still waits, due or not. */
  readonly queued: number
  /** Until the first of them that is not due is, ms; null: none waits for a time. */
  readonly nextDueMs: number | null
  /** Files on their way at once. */
  readonly window: number
  readonly pausedReason: string | null
}

/**
 * What has become of a job: `done`, `error`; `later`: it waits for a time; `back`: it waits, and was not tried; `gone`:
 * it is somebody else's by now.
 */
export type DownloadOutcome = 'done' | 'error' | 'later' | 'back' | 'gone'

export interface DownloadedJob {
  readonly outcome: DownloadOutcome
  /** Why the whole queue stands still from now on. */
  readonly pausedReason: string | null
}

export interface LaneInput {
  readonly queue: string
  /** Its name: what it claims carries it. */
  readonly lane: string
  readonly temporalRunId: string
  readonly workflowId: string
}

export interface LaneEnd {
  /** Files that came to an end of any kind. */
  readonly ended: number
  /** It ended only because its time was over. */
  readonly isMore: boolean
  /** Why the whole queue stands still from now on. */
  readonly pausedReason: string | null
}

/** What a dispatcher is to know about its lanes. */
export interface LanesLook {
  /** Further lanes that would find something now. */
  readonly wanted: number
  /** Something waits, due or not. */
  readonly isLeft: boolean
  /** Until the next job becomes due, ms; null: none waits for a time. */
  readonly nextDueMs: number | null
  /** Lanes at once. */
  readonly window: number
  readonly pausedReason: string | null
}

/** Answer of the `progress` query of a dispatcher. */
export interface DownloadProgress {
  readonly queue: string
  readonly phase: 'running' | 'idle' | 'paused' | 'finished'
  readonly pausedReason: string | null
  readonly inFlight: number
  /** Activities that have ended in this execution of the workflow. */
  readonly ended: number
}
