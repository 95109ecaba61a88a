/** What a search brought. */
import type { Candidate, CandidateList } from '../../core/matching/candidate.ts'

export interface FoundItem {
  readonly id: string
  /** The label or alias that was found, where the search says so: it may be in a language nobody asked for. */
  readonly name: string | null
}

/** The answer to a lookup: candidates known by id, best first, each once. */
export function foundList(found: readonly FoundItem[], isTruncated: boolean): CandidateList {
  const byId = new Map<string, Candidate>()
  for (const { id, name } of found) {
    const names = [...(byId.get(id)?.names ?? []), ...(name === null ? [] : [name])]
    byId.set(id, { ...bare, id, names: [...new Set(names)] })
  }
  return { candidates: [...byId.values()], truncated: isTruncated }
}

const bare: Omit<Candidate, 'id' | 'names'> = {
  name: null,
  description: null,
  types: [],
  serviceScore: null,
  serviceMatch: false,
  features: [],
}
