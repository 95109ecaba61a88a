import { isWikidataId } from '../matching/wikidata-id.ts'
import { valueIds } from './item-facts.ts'
import { SUBCLASS_OF } from './item-needs.ts'
import type { ShelvedItem, ShelvedItems } from './item-shelf.ts'

/** Where the search for a class above others came to. */
export type ClassVerdict =
  /** One of the classes is, or is below, one of the types. */
  | { readonly status: 'known'; readonly isBelow: boolean }
  /** A class on the way is not known. */
  | { readonly status: 'missing' }
  | Extract<ShelvedItem, { status: 'failed' }>

/** Whether one of the classes is one of the types, or a subclass of one, at any distance. */
export function isBelow(
  classIds: readonly string[],
  types: readonly string[],
  classes: ShelvedItems,
): ClassVerdict {
  const seen = new Set(classIds.filter(isWikidataId))
  let obstacle: ClassVerdict | undefined
  // A set can grow while it is gone through.
  for (const id of seen) {
    if (types.includes(id)) return { status: 'known', isBelow: true }
    const item = classes.get(id)
    if (item?.status === 'known') {
      // A class that was merged is the one it became part of.
      if (types.includes(item.facts.id ?? id)) return { status: 'known', isBelow: true }
      for (const above of valueIds(item.facts, SUBCLASS_OF))
        if (isWikidataId(above)) seen.add(above)
    } else {
      obstacle = item ?? { status: 'missing' }
    }
  }
  return obstacle ?? { status: 'known', isBelow: false }
}
