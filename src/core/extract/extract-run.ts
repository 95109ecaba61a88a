/** What workflows and activities of an extraction hand each other: ids, positions and counts, never an item. */
import type { ListingState } from './listing-verdict.ts'
import type { ParallelConfig } from './parallel-config.ts'

export interface ExtractSourceInput {
  readonly runId: number
  /** Only tests change it. */
  readonly pagesPerExecution?: number
}

/** What a run was asked to do; kept with it, and compared by a second start. */
export interface ExtractOptions {
  readonly config: ParallelConfig
  /** Failed attempts of a page or item before it is given up. */
  readonly maxAttempts: number
  /** Of the items present before, in percent: more are never marked absent at once. */
  readonly mostAbsentPercent: number
  /** Without one answer for so long, what is asked of the source fails with `domain_unavailable`. */
  readonly giveUpAfterMs: number
  /** How often a list is read again that changed while it was read. */
  readonly rereads: number
  /** Of the types that are read only for what changed at this moment or later; a full run has none. */
  readonly since?: Readonly<Record<string, string>>
}

export interface OpenedExtract {
  readonly source: string
  /** Those that are not over yet. */
  readonly types: readonly string[]
  readonly workers: number
  readonly queueSize: number
  /** Absent in executions of versions that did not know it. */
  readonly rereads?: number
}

export interface ExtractTypeInput {
  readonly runId: number
  readonly type: string
  /** Pages in flight of this type. */
  readonly workers: number
  readonly queueSize: number
  /** Workflow id of the run's workflow: told when the source turns the run away. */
  readonly rootWorkflowId: string
  /** Resumes of the run before this started. */
  readonly resumes: number
  readonly pagesPerExecution: number
  /** How often the list may be read again; absent in executions of versions that did not. */
  readonly rereads?: number
}

/** How a list goes on, from what is stored. */
export interface OpenedType {
  /** Pages are asked one after the other. */
  readonly isChained: boolean
  readonly hasDetails: boolean
  /** The last page is stored, and nothing before it is missing. */
  readonly isListed: boolean
  readonly next: number
  readonly size: number
}

/** A run that is over. */
export type ExtractEnd =
  'completed' | 'completed_with_errors' | 'failed' | 'cancelled' | 'terminated'

export type TypeState = 'open' | ListingState | 'failed'

/** Then a content type's workflow continues as new: 6 events a page, and twice as many with details. */
export const PAGES_PER_EXECUTION = 1_000
