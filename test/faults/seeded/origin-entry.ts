/**
 * What the origin's process writes and is told. It writes at once, line by line, so that kill -9 loses nothing; a file
 * belongs to one process.
 */
import type { Refusal } from './fault.ts'

export type OriginEntry =
  | {
      readonly kind: 'asked'
      readonly id: number
      /** Unix time, as all instants of the harness. */
      readonly atMs: number
      /** Names in the batch; none: the manifest. */
      readonly questions: readonly string[]
      /** It will be turned down. */
      readonly refused: boolean
    }
  /** The whole answer has left. */
  | { readonly kind: 'answered'; readonly id: number; readonly atMs: number }

/** Told over the channel of the process: turn the next `requests` down. */
export interface OriginOrder {
  readonly refusal: Refusal
  readonly requests: number
}

/** Said once it listens. */
export interface OriginReady {
  readonly port: number
}

/** What the origin was asked, one question each. */
export interface Ask {
  readonly question: string
  readonly atMs: number
  /** `refused`: the origin turned it down. `lost`: the origin died over it, or nobody waited for the answer any more. */
  readonly outcome: 'answered' | 'refused' | 'lost'
}
