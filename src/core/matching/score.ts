import type { Candidate } from './candidate.ts'
import { compareName, prepareNames } from './compare-name.ts'
import { compareProperty } from './compare-property.ts'
import type { FeatureEvidence, ScoredCandidate } from './decision.ts'
import type { MappedRecord } from './mapped-record.ts'
import { nameForms } from './normalize-name.ts'
import { weights } from './weights.ts'

/**
 * Scores candidates against a record: additive weights in bits, shown as 0 to 100 by their odds (research §4.2).
 * @returns best first; ties by number of agreeing features, then by id, so that the order never depends on chance.
 */
export function scoreCandidates(
  record: MappedRecord,
  candidates: readonly Candidate[],
): readonly ScoredCandidate[] {
  const names = prepareNames(record.names)
  const compared = candidates.map((candidate) => {
    const candidateNames = prepareNames(candidate.names)
    const descriptionWords = nameForms(candidate.description ?? '').tokens
    return {
      candidate,
      name: compareName(names, candidate, candidateNames),
      properties: record.properties
        .filter((property) => property.use !== 'keep')
        .map((property) => compareProperty(property, candidate, descriptionWords)),
    }
  })
  const namesakes = compared.filter(({ name }) => name.verdict === 'agree').length
  return compared
    .map(({ candidate, name, properties }) =>
      scored(candidate, [shareAmong(name, namesakes), ...properties]),
    )
    .sort(byScore)
}

// A name that several candidates bear tells them apart that much less.
function shareAmong(name: FeatureEvidence, namesakes: number): FeatureEvidence {
  if (name.verdict !== 'agree' || namesakes < 2) return name
  return {
    ...name,
    weight: name.weight - Math.log2(namesakes),
    how: `${name.how}, 1 of ${namesakes}`,
  }
}

function scored(candidate: Candidate, features: readonly FeatureEvidence[]): ScoredCandidate {
  const bits = features.reduce<number>((sum, feature) => sum + feature.weight, weights.prior)
  const score = 100 / (1 + 2 ** -bits)
  return {
    id: candidate.id,
    label: candidate.name,
    description: candidate.description,
    score: Math.round(score * 10) / 10,
    veto: vetoOf(features),
    features,
  }
}

// A contradicting year of life is never outvoted by a name.
function vetoOf(features: readonly FeatureEvidence[]): string | null {
  const contradicted = features.find(
    ({ verdict, weight }) => verdict === 'disagree' && weight === weights.year.disagree,
  )
  return contradicted === undefined || contradicted.feature === 'name'
    ? null
    : `${contradicted.feature} disagrees`
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
