/** What a run was asked to do, and what its plan found. */

/** How a record can stand that a start picks by it. */
export const pickedStatuses = [
  'new',
  'matched',
  'review',
  'no_candidate',
  'skipped',
  'failed',
  'cancelled',
] as const
export type PickedStatus = (typeof pickedStatuses)[number]

/** Which of the failed records a run takes up; with both, those that fit both. It takes up nothing else then. */
export interface FailedPick {
  /** Error codes; null: any. */
  readonly codes: readonly string[] | null
  /** Ids of subjects, failed or set aside; null: all failed ones. */
  readonly subjectIds: readonly number[] | null
}

/** Options that make two starts "equal" or not; stored with the run and compared by a second start. */
export interface RunOptions {
  /** Only the first N due records in file order; null: all. */
  readonly limit: number | null
  /** A random sample of N due records with this seed; null: all. */
  readonly sample: { readonly size: number; readonly seed: number } | null
  /** Records per task; null: as many as make a task worth 2 to 20 s. */
  readonly entriesPerTask: number | null
  /** Attempts per lookup before it is FAILED. Default 3. */
  readonly maxAttempts: number
  /** Also queue the records that FAILED before. */
  readonly retryFailed: boolean
  /** Only these of the failed records, and nothing else; null or absent: no such choice. */
  readonly failed?: FailedPick | null | undefined
  /** Only records that stand so, decided ones too; null: all that are due. */
  readonly only: readonly PickedStatus[] | null
  /** Decide again what was decided, from stored answers; nobody is asked anything. */
  readonly rescore: boolean
  /** Without one success for so long, a domain's records fail with `domain_unavailable`. Default 24 h. */
  readonly giveUpAfterMs: number
  /** Ask again what was answered longer ago; null: nothing. Absent in runs of versions that did not know it. */
  readonly refreshOlderThanMs?: number | null | undefined
  /** Number of what is done at the end (`end_action`); null or absent: nothing. */
  readonly endActionId?: number | null | undefined
}

export const defaultRunOptions: RunOptions = {
  limit: null,
  sample: null,
  entriesPerTask: null,
  maxAttempts: 3,
  retryFailed: false,
  failed: null,
  only: null,
  rescore: false,
  giveUpAfterMs: 24 * 60 * 60 * 1000,
  refreshOlderThanMs: null,
  endActionId: null,
}

/** What planning decided, for people: stored with the run. */
export interface RunPlan {
  readonly queued: number
  /** Due because a setting changed, and because cells did; a limit or sample may have queued fewer. */
  readonly dueForSettings: number
  readonly dueForChangedCells: number
  /** Due because their answers are older than the run wants them; absent in runs of versions that did not know it. */
  readonly dueForOldAnswers?: number
  /** Left alone: they wait for `retry-failed`. */
  readonly failedWaiting: number
  readonly judged: number
  /** Distinct questions, and how many of them have no stored answer, or one that is too old. */
  readonly lookups: number
  readonly lookupsMissing: number
}
