import type { ProjectSettings } from '../project-settings.ts'
import type { Decision, ScoredCandidate } from './decision.ts'
import { askedIdentifiers } from './lookups.ts'
import { type Cells, mapRecord } from './mapped-record.ts'
import type { EarlierMatch, PastJudgment, RecordPast } from './record-past.ts'

const WIKIDATA_ITEM = /^Q\d+$/

/**
 * An automatic match that contradicts what was said or concluded before is for a person, whatever speaks for it: a
 * candidate that somebody rejected (`rejected-before`), and another item than the record was matched with
 * (`match-changed`). A record that bears another name in the file than it did then is another question, and starts afresh.
 */
export function heedPast(
  decision: Decision,
  cells: Cells,
  past: RecordPast,
  settings: ProjectSettings,
): Decision {
  const { outcome, best } = decision
  if (outcome !== 'matched' || best === null) return decision
  if (isRejected(best, past.judgments)) {
    return forReview(decision, 'rejected-before', best, 'a person rejected it before')
  }
  const { match } = past
  if (match === null || !isOther(match, best.id, settings) || isRenamed(match, cells, settings)) {
    return decision
  }
  const before = match.label === null ? match.id : `${match.id} ${match.label}`
  return forReview(
    decision,
    'match-changed',
    best,
    `scores ${best.score}, but the record was matched with ${before} before`,
  )
}

/**
 * The last judgment that speaks of a candidate counts, a rejection be it taken back or not: `match` speaks of every
 * item. What was said of an item that has been merged since is said of what it became part of.
 */
function isRejected(
  { id, foundAs = [] }: ScoredCandidate,
  judgments: readonly PastJudgment[],
): boolean {
  const ids = [id, ...foundAs]
  const last = judgments.findLast(
    ({ verdict, seen }) => verdict === 'match' || seen.some((one) => ids.includes(one)),
  )
  if (last === undefined) return false
  return last.verdict !== 'match' || last.id === null || !ids.includes(last.id)
}

/** Ids of two services can be compared only where both are those of Wikidata. */
function isOther(match: EarlierMatch, id: string, { service }: ProjectSettings): boolean {
  if (match.id === id) return false
  return match.service === service || (WIKIDATA_ITEM.test(match.id) && WIKIDATA_ITEM.test(id))
}

/** By the mapping of then: a name that only the settings have changed is no other name. */
function isRenamed(match: EarlierMatch, cells: Cells, settings: ProjectSettings): boolean {
  const record = mapRecord(cells, match.settings ?? settings)
  // A record that gives its item is about that item, whatever it was matched with before.
  const [identifier] = record.givenItem === undefined ? askedIdentifiers(record) : []
  return (record.names[0] ?? identifier) !== (match.name ?? undefined)
}

function forReview(
  decision: Decision,
  rule: string,
  { id, label }: ScoredCandidate,
  reason: string,
): Decision {
  const named = `${id} ${label ?? '(no label)'}`
  return { ...decision, outcome: 'review', rule, reason: `Perhaps ${named}: ${reason}.` }
}
