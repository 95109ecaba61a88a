/** The activities of a match run as its workflows see them. Inputs and results are ids and counts. */
import type {
  ClaimedDownloads,
  DownloadedJob,
  LaneEnd,
  LaneInput,
  LanesLook,
} from '../core/download/download-queue.ts'
import type { ExtractEnd, OpenedExtract, OpenedType } from '../core/extract/extract-run.ts'
import type { PageRange, PageResult } from '../core/extract/page-plan.ts'
import type { OpenedRun, PlannedTasks } from '../core/match-run.ts'
import type { RunOptions } from '../core/run.ts'
import type { ScheduledMatchInput, ScheduledMatchResult } from '../core/scheduled-match.ts'
import type { PauseInput, ResumeInput } from './pause-input.ts'
import type { FoundItems, PropertySuggestions, TypeSuggestions } from '../core/suggestions.ts'

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
  pauseRun(input: PauseInput): Promise<void>
  resumeRun(input: ResumeInput): Promise<void>
  /** Completes the run when no record is queued any more. @returns how many still are. */
  finishRun(input: { readonly runId: number }): Promise<{ readonly queued: number }>
  cancelRun(input: { readonly runId: number }): Promise<void>
  failRun(input: Broken): Promise<void>
  /** What a task left queued becomes FAILED with this code, for `retry-failed`. */
  failTask(input: Broken & { readonly task: number }): Promise<void>
  /** The same for `count` tasks from `first` on. */
  failTasks(input: Broken & { readonly first: number; readonly count: number }): Promise<void>
}

/** What broke in a run; the code is stable. */
interface Broken {
  readonly runId: number
  readonly code: string
  readonly message: string
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
}

export interface TaskActivities {
  /**
   * Asks what the task's queued records up to this name position miss, and decides them as far as answers go; each
   * answer and each page of decisions is stored at once.
   * Fails with `run_paused` when the run is paused or the service turns us away.
   * @returns records that still wait for a further name.
   */
  askAndDecide(input: {
    readonly runId: number
    readonly task: number
    readonly position: number
  }): Promise<{ readonly undecided: number }>
  /**
   * Decides a task of few records by the answers that are there, as a local activity.
   * @returns false: something is left to `askAndDecide`, such as a further name to be asked
   */
  decideAtOnce(input: {
    readonly runId: number
    readonly task: number
  }): Promise<{ readonly isDone: boolean }>
  /** The first half of `askAndDecide`; for tasks that began under a version before it. */
  askLookups(input: {
    readonly runId: number
    readonly task: number
    readonly position: number
  }): Promise<{ readonly asked: number }>
  /** Its second half. */
  decideSubjects(input: {
    readonly runId: number
    readonly task: number
  }): Promise<{ readonly undecided: number }>
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
  /** Finds items by the name that somebody typed, which is read from the database. */
  searchItems(input: { readonly searchId: number }): Promise<FoundItems>
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

export interface ExtractRunActivities {
  /** Takes up an open run for this workflow execution; repeatable. Fails for good with `run_closed`. */
  openExtract(input: {
    readonly runId: number
    readonly temporalRunId: string
  }): Promise<OpenedExtract>
  pauseExtract(input: PauseInput): Promise<void>
  resumeExtract(input: ResumeInput): Promise<void>
  /** One request finds out whether the source lets us in. Fails with `run_paused` where it does not. */
  checkSource(input: { readonly runId: number }): Promise<void>
  /** Closes a run whose types are over. @returns how it has ended */
  closeExtract(input: { readonly runId: number }): Promise<{ readonly status: ExtractEnd }>
  /** Closes a run that was stopped or broke; what it has stored stays for a resume. */
  stopExtract(input: {
    readonly runId: number
    readonly status: 'cancelled' | 'failed'
    readonly code: string | null
    readonly message: string | null
  }): Promise<void>
}

export interface ExtractTypeActivities {
  openType(input: { readonly runId: number; readonly type: string }): Promise<OpenedType>
  /**
   * Reads a page and stores it with its items, unless it is stored. Fails with `run_paused` where the source turns the
   * run away; a page that cannot be read for good is noted, and told as such.
   */
  extractPage(
    input: { readonly runId: number; readonly type: string } & PageRange,
  ): Promise<PageResult>
  /**
   * As `extractPage`, for pages in turn: ends after the last page of the list, one that failed, or some seconds.
   * @returns of the first ones, in order; at least one
   */
  extractPages(input: {
    readonly runId: number
    readonly type: string
    readonly ranges: readonly PageRange[]
  }): Promise<readonly PageResult[]>
  /** Asks the details of the items of a stored page that miss them; each is stored at once. */
  extractDetails(input: {
    readonly runId: number
    readonly type: string
    readonly position: number
  }): Promise<void>
  /**
   * Judges the list, and lands its items in the dataset; done once. Or forgets it, so that it is read again, where it
   * changed while it was read.
   */
  finishType(input: {
    readonly runId: number
    readonly type: string
    /** Left out by versions that read no list again. */
    readonly mayReread?: boolean
  }): Promise<'ended' | 'reread'>
  /** Ends a type whose workflow broke. */
  failType(input: {
    readonly runId: number
    readonly type: string
    readonly code: string
    readonly message: string
  }): Promise<void>
}

export interface DownloadActivities {
  /** Takes up a queue for this workflow; what an earlier one left under way waits again. */
  openDownloads(input: {
    readonly queue: string
    readonly temporalRunId: string
  }): Promise<{ readonly pausedReason: string | null }>
  /** Looks what is left for lanes; with none in flight, what an earlier one has left under way waits again. */
  lookDownloads(input: {
    readonly queue: string
    /** Lanes in flight. */
    readonly lanes: number
    readonly temporalRunId: string
  }): Promise<LanesLook>
  /**
   * Fetches files one after the other into the store, or notes why not, until nothing is due or its time is over. Waits
   * give the slot back, and cost a job nothing.
   */
  fetchInLane(input: LaneInput): Promise<LaneEnd>
  /** Fails what a lane has claimed whose activity broke. @returns how many */
  failLane(input: {
    readonly queue: string
    readonly lane: string
    readonly code: string
    readonly message: string
  }): Promise<{ readonly failed: number }>
  /** For executions that began before there were lanes, as are `downloadArtifact` and `failDownload`. */
  claimDownloads(input: {
    readonly queue: string
    readonly claim: string
    /** Jobs of the window that are under way. */
    readonly busy: number
    readonly temporalRunId: string
    readonly workflowId: string
  }): Promise<ClaimedDownloads>
  /** Fetches a file into the store, or notes why not. Waits give the slot back, and cost the job nothing. */
  downloadArtifact(input: {
    readonly queue: string
    readonly jobId: number
    readonly claim: string
  }): Promise<DownloadedJob>
  /** Fails a job whose activity broke. */
  failDownload(input: {
    readonly jobId: number
    readonly claim: string
    readonly code: string
    readonly message: string
  }): Promise<void>
  pauseDownloads(input: { readonly queue: string; readonly reason: string }): Promise<void>
  resumeDownloads(input: { readonly queue: string }): Promise<void>
  /** Nobody works on the queue any more; what was under way waits. */
  closeDownloads(input: { readonly queue: string; readonly temporalRunId: string }): Promise<void>
}
