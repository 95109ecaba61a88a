import type { ScoredCandidate, Verdict } from '../../core/matching/decision.ts'

const VERBS: Readonly<Record<Exclude<Verdict, 'unknown'>, string>> = {
  agree: 'agrees',
  partly: 'agrees in part',
  disagree: 'disagrees',
}

/** Why a candidate has its score, for people: "name agrees (form A); P569 disagrees". What is unknown says nothing. */
export function candidateReason({ features, veto }: ScoredCandidate): string {
  const parts = features.flatMap(({ feature, verdict, how }) => {
    if (verdict === 'unknown') return []
    return [`${feature} ${VERBS[verdict]}${how === '' ? '' : ` (${how})`}`]
  })
  return [...parts, ...(veto === null ? [] : [`never automatic: ${veto}`])].join('; ')
}
