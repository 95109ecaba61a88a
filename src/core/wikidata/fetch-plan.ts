import { askedLanguages, type ItemFacts, type WantedFacts } from './item-facts.ts'

/** An item to fetch. */
export interface ItemToFetch {
  readonly id: string
  /** Failed attempts so far. */
  readonly attempts: number
  /** What is known of it; fetched again with it, so that all that is kept is of one revision. */
  readonly facts: ItemFacts | null
}

/** One call. */
export interface PlannedFetch {
  /** At most 50. */
  readonly ids: readonly string[]
  readonly wanted: WantedFacts
}

/** Wikidata's limit of ids in a call. */
export const MOST_ITEMS_TOGETHER = 50

/** Fewer for those in calls that failed: in the end each alone, to blame. */
const IDS_PER_CALL = [MOST_ITEMS_TOGETHER, 10, 1] as const

/** Items of which only names are wanted come apart: their statements would be most of the answer. */
export function planFetches(
  items: readonly ItemToFetch[],
  wanted: WantedFacts,
): readonly PlannedFetch[] {
  const groups = new Map<string, ItemToFetch[]>()
  for (const item of items) {
    const sizeAt = Math.min(item.attempts, IDS_PER_CALL.length - 1)
    const key = `${sizeAt} ${wantedOf(item, wanted).pids.length > 0}`
    groups.set(key, [...(groups.get(key) ?? []), item])
  }
  return [...groups].sort(byKey).flatMap(([key, group]) => {
    const size = IDS_PER_CALL[Number(key[0])] ?? 1
    return chunks(group, size).map((chunk) => ({
      ids: chunk.map(({ id }) => id),
      wanted: union(chunk.map((item) => wantedOf(item, wanted))),
    }))
  })
}

function wantedOf({ facts }: ItemToFetch, wanted: WantedFacts): WantedFacts {
  if (facts === null || facts.id === null) return wanted
  return union([wanted, { languages: facts.heldLanguages, pids: facts.heldPids }])
}

function union(all: readonly WantedFacts[]): WantedFacts {
  return {
    languages: askedLanguages(all.flatMap(({ languages }) => languages)),
    pids: [...new Set(all.flatMap(({ pids }) => pids))],
  }
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}

/** In their order, the last one perhaps smaller. */
export function chunks<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size))
}
