/**
 * All items that a decision about some candidates looks at, gathered in three steps, since each step names the items of
 * the next:
 *
 *   candidates ─▶ their classes, and the classes above these, when a type is asked for
 *             └─▶ items that are values of theirs, for their names
 *
 * Where the facts come from is the caller's: fetched before a decision, only read for it.
 */
import { isWikidataId } from '../matching/wikidata-id.ts'
import { type ItemFacts, valueIds, type WantedFacts } from './item-facts.ts'
import { INSTANCE_OF, type ItemNeeds, SUBCLASS_OF } from './item-needs.ts'

/** An item of which all that is wanted is known, or that could not be asked for. */
export type ShelvedItem =
  | { readonly status: 'known'; readonly facts: ItemFacts }
  | { readonly status: 'failed'; readonly code: string; readonly message: string }

/** By the id asked for; an id that is not there is not known yet. */
export type ShelvedItems = ReadonlyMap<string, ShelvedItem>

export interface ItemShelf {
  readonly candidates: ShelvedItems
  readonly named: ShelvedItems
  /** Empty when no type is asked for. */
  readonly classes: ShelvedItems
}

/** What is known of items, of all that is wanted of them. */
export type ProvideItems = (ids: readonly string[], wanted: WantedFacts) => Promise<ShelvedItems>

export async function fillShelf(
  candidateIds: readonly string[],
  needs: ItemNeeds,
  provide: ProvideItems,
): Promise<ItemShelf> {
  const candidates = await provide(distinct(candidateIds), needs.candidates)
  const known = knownFacts(candidates)
  const classes =
    needs.classes === null ? new Map() : await classesAbove(known, needs.classes, provide)
  const values = known.flatMap((facts) => needs.namedPids.flatMap((pid) => valueIds(facts, pid)))
  const named = await provide(distinct(values.filter(isWikidataId)), needs.names)
  return { candidates, named, classes }
}

/** Ends, for each class is looked at once, however they are knotted. */
async function classesAbove(
  items: readonly ItemFacts[],
  wanted: WantedFacts,
  provide: ProvideItems,
): Promise<ShelvedItems> {
  const seen = new Map<string, ShelvedItem>()
  const asked = new Set<string>()
  let level = distinct(items.flatMap((facts) => valueIds(facts, INSTANCE_OF)))
  for (;;) {
    const fresh = level.filter((id) => isWikidataId(id) && !asked.has(id))
    if (fresh.length === 0) return seen
    for (const id of fresh) asked.add(id)
    const found = await provide(fresh, wanted)
    for (const [id, item] of found) seen.set(id, item)
    level = distinct(knownFacts(found).flatMap((facts) => valueIds(facts, SUBCLASS_OF)))
  }
}

function knownFacts(items: ShelvedItems): readonly ItemFacts[] {
  return [...items.values()].flatMap((item) => (item.status === 'known' ? [item.facts] : []))
}

function distinct(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)]
}
