import type { Candidate, CandidateList } from './candidate.ts'

/** The same entity found under several names is one candidate with all its names. */
export function mergeCandidates(lists: readonly CandidateList[]): readonly Candidate[] {
  const byId = new Map<string, Candidate>()
  for (const candidate of lists.flatMap((list) => list.candidates)) {
    const seen = byId.get(candidate.id)
    byId.set(candidate.id, seen === undefined ? candidate : merged(seen, candidate))
  }
  return [...byId.values()]
}

function merged(first: Candidate, second: Candidate): Candidate {
  return {
    ...first,
    names: [...new Set([...first.names, ...second.names])],
    description: first.description ?? second.description,
    ...((first.properties ?? second.properties) && {
      properties: { ...second.properties, ...first.properties },
    }),
    features: [...first.features, ...second.features].sort(
      (a, b) => Number(b.value) - Number(a.value),
    ),
  }
}
