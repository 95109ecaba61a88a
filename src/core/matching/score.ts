import type { Candidate } from './candidate.ts'
import { compareCandidates, prepareRecord } from './compare-candidate.ts'
import type { FeatureEvidence, ScoredCandidate } from './decision.ts'
import type { FeatureLevel } from './features/feature-level.ts'
import type { MappedRecord } from './mapped-record.ts'
import { vetoOf } from './veto.ts'
import { type KindWeights, weightsOf } from './weights.ts'
import type { EntityKind } from '../project-settings.ts'

export interface ScoredList {
  /** Best first; ties by number of agreeing features, then by id, so that the order never depends on chance. */
  readonly candidates: readonly ScoredCandidate[]
  /** Chance, 0 to 100, that one of them is right. */
  readonly anyRight: number
}

/**
 * Scores candidates against a record (research §4.2). Each has the sum of its features' weights in bits as its odds
 * against "none of these"; its score is its share of all odds, 0 to 100: the chance that it is the right one. So a
 * name that several candidates bear tells each of them apart that much less.
 */
export function scoreCandidates(
  record: MappedRecord,
  candidates: readonly Candidate[],
  kind: EntityKind,
  table: KindWeights = weightsOf(kind),
): ScoredList {
  const prepared = prepareRecord(record, kind)
  const compared = compareCandidates(prepared, candidates)
  // However many names extend the one that agrees wholly, that it is one of them is one chance.
  const behind = Math.max(1, compared.filter(isBehind).length)
  const crowdOf = (levels: readonly FeatureLevel[]): number => (isBehind(levels) ? behind : 1)
  const weighed = candidates.map((candidate, position) => {
    const levels = compared[position] ?? []
    const features = levels.map((level) => weigh(level, table))
    const bits = features.reduce((sum, { weight }) => sum + weight, table.prior)
    return { candidate, features, veto: vetoOf(levels), odds: 2 ** bits / crowdOf(levels) }
  })
  const all = weighed.reduce((sum, { odds }) => sum + odds, 0)
  return {
    candidates: weighed
      .map(({ candidate: { id, name, description, foundAs }, features, veto, odds }) => ({
        id,
        label: name,
        description,
        score: percent(odds / (1 + all)),
        veto,
        features,
        ...(foundAs === undefined ? {} : { foundAs }),
      }))
      .sort(byScore),
    anyRight: percent(all / (1 + all)),
  }
}

function isBehind(levels: readonly FeatureLevel[]): boolean {
  return levels.some(({ keys }) => keys.includes('behind') && !keys.includes('name.different'))
}

function weigh(level: FeatureLevel, { bits }: KindWeights): FeatureEvidence {
  const { feature, verdict, record, candidate, how } = level
  const weight = level.keys.reduce((sum, key) => sum + (bits[key] ?? 0), 0)
  return { feature, verdict, record, candidate, how, weight: Math.round(weight * 100) / 100 }
}

/** One decimal, so that what is shown is what is compared. */
function percent(share: number): number {
  return Math.round(share * 1000) / 10
}

function byScore(a: ScoredCandidate, b: ScoredCandidate): number {
  return b.score - a.score || agreeing(b) - agreeing(a) || byId(a.id, b.id)
}

function agreeing(candidate: ScoredCandidate): number {
  return candidate.features.filter(({ verdict }) => verdict === 'agree').length
}

function byId(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1)
}
