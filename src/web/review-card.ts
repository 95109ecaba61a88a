/** All that a card shows of one record. */
import { explainEntry, type Explanation } from '../client/explain/explain-entry.ts'
import { itemUrl } from '../client/review/item-url.ts'
import { type ShownItem, shownItems } from '../db/shown-items.repo.ts'
import type { Db } from '../db/connect.ts'
import type { Project } from '../db/projects.repo.ts'
import { type EqualRows, equalRows } from '../db/equal-rows.repo.ts'
import { LIKENESS_LETTERS } from '../db/chosen-entries.ts'
import { type HoldingJudgment, type JudgedState, judgedState } from '../db/review-judgments.repo.ts'
import { findService } from '../db/services.repo.ts'
import { sha256Hex } from '../db/sha256.ts'
import type { ShownCandidate } from './parts/comparison.tsx'
import { seenText } from './seen-text.ts'

const FIRST_SHOWN = 3
const MOST_EQUAL_NAMED = 100

export interface ReviewCardData {
  readonly explanation: Explanation
  readonly candidates: readonly ShownCandidate[]
  /** Candidates that are kept and not shown. */
  readonly hidden: number
  readonly holding: HoldingJudgment | null
  /** '' before the project has looked at it. */
  readonly seen: string
  /** Other rows that are judged with it. */
  readonly equal: EqualRows
  /** The same for rows that are equal; '' before the project has looked at it. */
  readonly likeness: string
}

/**
 * @param look blind: candidates are in an order that tells nothing; all: every candidate that is kept
 * @throws UsageError `unknown_entry`
 */
export async function reviewCard(
  db: Db,
  project: Project,
  entry: string,
  look: { readonly blind: boolean; readonly all: boolean },
): Promise<ReviewCardData> {
  const [explanation, state, service] = await Promise.all([
    explainEntry(db, project, entry),
    judgedState(db, project.id, entry),
    findService(db, project.settings.service),
  ])
  const kept = explanation.decision?.candidates ?? []
  const best = look.all ? kept : kept.slice(0, FIRST_SHOWN)
  const shown = look.blind
    ? best.toSorted((a, b) => (sha256Hex(a.id) < sha256Hex(b.id) ? -1 : 1))
    : best
  const ids = shown.map(({ id }) => id)
  const [equal, items] = await Promise.all([
    equalTo(db, state),
    shownItems(db, project.settings.service, ids),
  ])
  const item = new Map<string, ShownItem>(items.map((one) => [one.id, one]))
  return {
    explanation,
    candidates: shown.map((one) => ({
      ...one,
      url: itemUrl(one.id, service),
      item: item.get(one.id) ?? null,
    })),
    hidden: kept.length - shown.length,
    holding: state?.holding ?? null,
    seen: state === undefined ? '' : seenText(state),
    equal,
    likeness: state === undefined ? '' : state.matchHash.toString('hex').slice(0, LIKENESS_LETTERS),
  }
}

/** Rows that would be judged with a record. */
export function equalTo(db: Db, state: JudgedState | undefined): Promise<EqualRows> {
  return state === undefined
    ? Promise.resolve({ count: 0, entries: [] })
    : equalRows(db, state.subjectId, MOST_EQUAL_NAMED)
}
