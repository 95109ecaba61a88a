/** Why the right item of a record was not matched automatically, in a few words that can be counted. */
import type { ScoredCandidate } from '../../src/core/matching/decision.ts'
import type { DecidedRow } from './run-set.ts'

const MOST_CAUSES = 10

export interface Cause {
  readonly cause: string
  readonly rows: number
}

/** The commonest causes, most frequent first; equal ones by name. */
export function commonestCauses(rows: readonly DecidedRow[]): readonly Cause[] {
  const counts = new Map<string, number>()
  for (const row of rows) {
    const cause = causeOf(row)
    if (cause !== null) counts.set(cause, (counts.get(cause) ?? 0) + 1)
  }
  return [...counts]
    .map(([cause, count]) => ({ cause, rows: count }))
    .sort((a, b) => b.rows - a.rows || (a.cause < b.cause ? -1 : 1))
    .slice(0, MOST_CAUSES)
}

function causeOf({ expected, decision, seen }: DecidedRow): string | null {
  const { outcome, best, evidence } = decision
  if (expected === null) {
    if (outcome !== 'matched') return null
    return `not in the knowledge base, matched: name ${nameOf(best)}`
  }
  if (best?.id === expected) {
    return outcome === 'matched' ? null : `right first, ${decision.rule}: ${doubtsOf(best)}`
  }
  if (outcome === 'matched') return `wrong match: name ${nameOf(best)}`
  if (!seen.some(({ id }) => id === expected)) return 'not among the candidates'
  const right = evidence.candidates.find(({ id }) => id === expected)
  return `another first: the right one's name ${right === undefined ? 'far' : nameOf(right)}`
}

/** What an item's name and the features against it are. */
function doubtsOf(candidate: ScoredCandidate): string {
  const against = candidate.features
    .filter(({ feature, verdict }) => feature !== 'name' && verdict === 'disagree')
    .map(({ feature }) => `${feature} disagrees`)
  return [`name ${nameOf(candidate)}`, ...against].join(', ')
}

function nameOf(candidate: ScoredCandidate | null): string {
  const how = candidate?.features.find(({ feature }) => feature === 'name')?.how ?? 'unknown'
  return how.split(',')[0] ?? how
}
