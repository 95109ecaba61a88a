/** What was concluded and said about a record before; `heed-past` says how far it binds. */
import type { ProjectSettings } from '../project-settings.ts'

/** The last automatic match of a record; it stays the last one, however often the record came to nothing since. */
export interface EarlierMatch {
  /** Of the item; of the one it was merged into, where that is known. */
  readonly id: string
  readonly label: string | null
  /** Whose item it is. */
  readonly service: string | null
  /** The main name that the record had then; what it was asked by, where it had none. */
  readonly name: string | null
  /** By which it was mapped then; null: by those of now. */
  readonly settings: ProjectSettings | null
}

/**
 * A judgment that holds, was replaced, or was taken back: a person once looked and said so. Only a match that was taken
 * back is none: nobody said of the other items that they are wrong.
 */
export interface PastJudgment {
  readonly verdict: 'match' | 'none_fits' | 'not_in_wikidata' | 'not_applicable'
  /** Only with `match`. */
  readonly id: string | null
  /** The candidates of the decision that was judged; empty when there was none. */
  readonly seen: readonly string[]
}

export interface RecordPast {
  readonly match: EarlierMatch | null
  /** Oldest first. */
  readonly judgments: readonly PastJudgment[]
}

/** Of a record that nobody has seen before. */
export const noPast: RecordPast = { match: null, judgments: [] }
