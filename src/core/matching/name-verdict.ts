import type { ScoredCandidate, Verdict } from './decision.ts'

/** How its names compare with those of the record; `unknown` where the record has none. */
export function nameVerdict({ features }: ScoredCandidate): Verdict {
  return features.find(({ feature }) => feature === 'name')?.verdict ?? 'unknown'
}

export function agreesInName(candidate: ScoredCandidate): boolean {
  return nameVerdict(candidate) === 'agree'
}

export function sharesIdentifier({ features }: ScoredCandidate): boolean {
  return features.some(({ how }) => how === 'id.agree')
}
