/** The activities of a match run as its workflows see them. Inputs and results are ids and counts. */
import type { OpenedRun, PlannedTasks } from '../core/match-run.ts'
import type { RunOptions } from '../core/run.ts'
import type { ScheduledMatchInput, ScheduledMatchResult } from '../core/scheduled-match.ts'
import type { PropertySuggestions, TypeSuggestions } from '../core/suggestions.ts'

export interface RunActivities {
  /** Opens the run of this workflow execution; repeatable. Fails for good with `unknown_project`. */
  openRun(input: {
    readonly projectId: number
    readonly settingsRevision: number
    readonly options: RunOptions
    readonly workflowId: string
    readonly temporalRunId: string
  }): Promise<OpenedRun>
  /**
   * Queues what is due (round 0; later rounds take up what was left over) and computes its lookups; repeatable.
   * @returns questions that will be asked in any case: main names without a stored answer, and answers to be renewed.
   */
  queueRun(input: {
    readonly runId: number
    readonly round: number
  }): Promise<{ readonly lookupsMissing: number }>
  /** Deals the queued records into tasks; repeatable. */
  dealTasks(input: {
    readonly runId: number
    readonly round: number
    readonly batchSize: number
  }): Promise<PlannedTasks>
  pauseRun(input: { readonly runId: number; readonly reason: string }): Promise<void>
  resumeRun(input: { readonly runId: number }): Promise<void>
  /** Completes the run when no record is queued any more. @returns how many still are. */
  finishRun(input: { readonly runId: number }): Promise<{ readonly queued: number }>
  cancelRun(input: { readonly runId: number }): Promise<void>
  failRun(input: {
    readonly runId: number
    readonly code: string
    readonly message: string
  }): Promise<void>
  /** What a task left queued becomes FAILED with this code, for `retry-failed`. */
  failTask(input: {
    readonly runId: number
    readonly task: number
    readonly code: string
    readonly message: string
  }): Promise<void>
}

export interface ServiceActivities {
  /**
   * Reads the service's manifest. @returns lookups per request.
   * Fails with `run_paused` when the service turns us away, or the run is paused and this is not the probe of its resume.
   */
  checkService(input: {
    readonly runId: number
    readonly isProbe: boolean
  }): Promise<{ readonly batchSize: number }>
  /**
   * Asks what the task's queued records up to this name position miss; each answer is stored at once.
   * Fails with `run_paused` when the run is paused or the service turns us away.
   */
  askLookups(input: {
    readonly runId: number
    readonly task: number
    readonly position: number
  }): Promise<{ readonly asked: number }>
}

export interface SuggestActivities {
  /** Asks for ten names of the project at random. @returns the types of what was found. */
  suggestTypes(input: { readonly projectId: number }): Promise<TypeSuggestions>
  /** Finds properties by name, where the service offers it. */
  suggestProperties(input: {
    readonly service: string
    /** Whose request it is; 0 for nobody's. */
    readonly projectId: number
    readonly text: string
  }): Promise<PropertySuggestions>
}

export interface ScheduleActivities {
  /**
   * Starts the match of a project for its schedule, or joins the one that runs: there is never a second one. A schedule
   * whose project is gone is removed.
   */
  startScheduledMatch(input: ScheduledMatchInput): Promise<ScheduledMatchResult>
}

export interface EndActivities {
  /**
   * Does what is to be done at the end of a run that is over; repeatable, what is done is not done again. What goes
   * wrong is noted beside the run. @returns how each went: `done`, or a code
   */
  runEndActions(input: { readonly runId: number }): Promise<Readonly<Record<string, string>>>
}

export interface DecisionActivities {
  /** Decides the task's records as far as answers go. @returns records that still wait for a further name. */
  decideSubjects(input: {
    readonly runId: number
    readonly task: number
  }): Promise<{ readonly undecided: number }>
}

export interface ExtendActivities {
  /**
   * Asks what a page of a project's matched items state; each answer is stored at once, so a retry asks only what is
   * missing. Fails for good with the service's code when it turns us away.
   * @returns whether there may be more to ask.
   */
  extendItems(input: {
    readonly projectId: number
    readonly properties: readonly string[]
    /** ISO 8601: what was fetched before is asked again. */
    readonly renewBefore?: string
    /** Names this extension: what fails in it for good is asked again only by another. */
    readonly extension: string
  }): Promise<{ readonly more: boolean }>
}

export interface ImageActivities {
  /**
   * Asks whether a page of the images that a project's matched items state are there. Fails for good with the code of
   * whoever turns us away.
   * @returns `more`: there may be more to ask; `failed`: images that could not be asked, to be asked again while `tries` lasts
   */
  checkImages(input: {
    readonly projectId: number
    /** Those that hold no images are left out. */
    readonly properties: readonly string[]
    /** ISO 8601: what could not be asked before is asked again. */
    readonly since: string
    /** ISO 8601: what was checked before is checked again. */
    readonly renewBefore?: string | undefined
    /** From 1. */
    readonly tries: number
  }): Promise<{ readonly more: boolean; readonly failed: number }>
}

export interface RecheckActivities {
  /**
   * Asks what has become of a page of a project's matched items. Fails for good with the service's code when it turns
   * us away.
   * @returns `more`: there may be more to ask; `failed`: items that could not be asked, to be asked again while
   * `tries` lasts; `canTell`: the service knows items by their ids
   */
  recheckItems(input: {
    readonly projectId: number
    /** ISO 8601: what was checked before is checked again. */
    readonly since: string
    /** From 1. */
    readonly tries: number
  }): Promise<{ readonly more: boolean; readonly failed: number; readonly canTell: boolean }>
}
