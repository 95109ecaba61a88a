/** How what was concluded about a record differs between two moments. */
import type { Outcome } from './decision.ts'

export interface Conclusion {
  /** `failed`: it could not be asked. */
  readonly outcome: Outcome | 'failed'
  /** The best candidate, matched or not; null without one. */
  readonly qid: string | null
  readonly rule: string | null
  readonly reason: string | null
}

/**
 * - `new`: matched now, and not before
 * - `changed`: another item; it stands for review when the match was automatic (`match-changed`)
 * - `lost`: matched before, and not now
 * - `merged`: the item of before has become part of the one of now
 * - `moved`: another outcome, matched neither before nor now
 */
export const changeKinds = ['new', 'changed', 'lost', 'merged', 'moved'] as const
export type ChangeKind = (typeof changeKinds)[number]

/**
 * @param before null: nothing was concluded yet
 * @param mergedInto what the item of before has been merged into; null: nothing that is known
 * @returns null where both say the same, or the first conclusion is no match
 */
export function changeBetween(
  before: Conclusion | null,
  after: Conclusion | null,
  mergedInto: string | null,
): ChangeKind | null {
  const was = before?.outcome === 'matched'
  const is = after?.outcome === 'matched'
  if (was && is) {
    if (before.qid === after.qid) return null
    return mergedInto !== null && mergedInto === after.qid ? 'merged' : 'changed'
  }
  if (is) return 'new'
  if (was) return after?.rule === 'match-changed' ? 'changed' : 'lost'
  return before === null || after === null || before.outcome === after.outcome ? null : 'moved'
}
