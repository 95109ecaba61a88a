import type { Candidate, CandidateList, HeldValue } from './candidate.ts'

/**
 * Ids of the candidates that a newer answer to the same question shows otherwise, or no longer: renamed, described
 * anew, of other types, with other values, merged or deleted. Scores and order are the service's, and do not count; nor
 * does what only one of the two answers says anything about.
 */
export function changedItems(before: CandidateList, after: CandidateList): readonly string[] {
  const now = new Map(after.candidates.map((candidate) => [candidate.id, candidate]))
  return before.candidates
    .filter((old) => {
      const fresh = now.get(old.id)
      // Of a list that was cut off nobody knows what came after.
      if (fresh === undefined) return !after.truncated
      return shownAs(old, fresh) !== shownAs(fresh, old)
    })
    .map(({ id }) => id)
}

/** What a candidate says of its item, as far as `other` says it too. */
function shownAs(candidate: Candidate, other: Candidate): string {
  const { name, names, description, types, properties } = candidate
  return JSON.stringify([
    name,
    names.toSorted(),
    description,
    types.map(({ id }) => id).toSorted(),
    other.properties === undefined || properties === undefined ? null : valuesOf(properties),
  ])
}

function valuesOf(properties: NonNullable<Candidate['properties']>) {
  return Object.entries(properties)
    .map(([pid, values]) => [pid, values.map(valueText).toSorted()] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
}

function valueText(value: HeldValue): string {
  return typeof value === 'string' ? value : value.id
}
