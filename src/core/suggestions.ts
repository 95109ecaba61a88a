/** What `suggest` and searches on pages ask for and get; no cell text in either. */

export interface TypeRank {
  readonly id: string
  readonly name: string | null
  /** Names asked for that have a candidate of this type. */
  readonly names: number
  readonly candidates: number
}

export interface TypeSuggestions {
  readonly asked: number
  /** Names the service could not answer. */
  readonly failed: number
  /** Most names first. */
  readonly types: readonly TypeRank[]
}

export interface PropertySuggestions {
  /** false: the manifest of the service offers no search of properties. */
  readonly isOffered: boolean
  readonly properties: readonly {
    readonly id: string
    readonly name: string
    readonly description: string | null
  }[]
}

/** What a search by name found; best first. */
export interface FoundItems {
  readonly items: readonly {
    readonly id: string
    readonly name: string | null
    readonly description: string | null
  }[]
}

interface TypedCandidate {
  readonly types: readonly { readonly id: string; readonly name?: string | undefined }[]
}

const MOST_TYPES = 20

/** @param lists the candidates of each name */
export function rankTypes(lists: readonly (readonly TypedCandidate[])[]): readonly TypeRank[] {
  const ranks = new Map<string, { name: string | null; names: number; candidates: number }>()
  for (const list of lists) {
    const seen = new Set<string>()
    for (const { id, name } of list.flatMap(({ types }) => types)) {
      const rank = ranks.get(id) ?? { name: null, names: 0, candidates: 0 }
      ranks.set(id, {
        name: rank.name ?? name ?? null,
        names: rank.names + Number(!seen.has(id)),
        candidates: rank.candidates + 1,
      })
      seen.add(id)
    }
  }
  return [...ranks]
    .map(([id, rank]) => ({ id, ...rank }))
    .toSorted((a, b) => b.names - a.names || b.candidates - a.candidates || (a.id < b.id ? -1 : 1))
    .slice(0, MOST_TYPES)
}
