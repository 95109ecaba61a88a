/**
 * Whether items that a list no longer has are marked absent (tombstones). Never after a list that cannot be believed,
 * and not when so many would go that the list is the likelier fault. A list of many numbered pages that does not say how
 * long it is can lose an item unseen, when another one is deleted while it is read: then two runs in a row must miss it.
 */
import type { ListingState } from './listing-verdict.ts'

export interface AbsenceFacts {
  readonly state: ListingState
  /** Present before this run. */
  readonly present: number
  /** Of those, not in this run's list. */
  readonly missing: number
  /** Of those, not in the list of the run before either. */
  readonly missingTwice: number
  readonly listed: number
  /** An item may have been missed although the list looks complete. */
  readonly canMiss: boolean
  /** The list has only what changed. */
  readonly isPartial: boolean
  /** Of those present before, in percent: more are not marked; 100 allows everything. */
  readonly mostAbsentPercent: number
}

export const DEFAULT_MOST_ABSENT_PERCENT = 20

export interface AbsenceVerdict {
  /** Which of the missing ones are marked. */
  readonly marks: 'all' | 'missing_twice' | 'none'
  /** Why not all; null: all are, or none is missing. */
  readonly code: 'list_incomplete' | 'empty_list' | 'too_many_absent' | 'unconfirmed' | null
}

export function judgeAbsence(facts: AbsenceFacts): AbsenceVerdict {
  const { state, present, missing, listed, mostAbsentPercent } = facts
  if (facts.isPartial) return { marks: 'none', code: null }
  if (state !== 'complete') {
    return { marks: 'none', code: missing > 0 ? 'list_incomplete' : null }
  }
  if (missing === 0) return { marks: 'all', code: null }
  if (mostAbsentPercent < 100) {
    if (listed === 0) return { marks: 'none', code: 'empty_list' }
    if (missing * 100 > present * mostAbsentPercent) {
      return { marks: 'none', code: 'too_many_absent' }
    }
  }
  if (!facts.canMiss) return { marks: 'all', code: null }
  return { marks: 'missing_twice', code: facts.missingTwice < missing ? 'unconfirmed' : null }
}
