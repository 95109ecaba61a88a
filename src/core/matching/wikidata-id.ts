/**
 * Ids of Wikidata items as people write them. Anchored: "Q2 Stadium" and "Q8 Petroleum" are names (research
 * reconciliation §2.1), and one id that cannot be read ends a whole call.
 */

const ITEM_ID = /^Q[1-9]\d{0,11}$/
const WRITTEN =
  /^(?:wd:|https?:\/\/(?:www\.|m\.)?wikidata\.org\/(?:entity|wiki)\/(?:Special:EntityPage\/)?)?(Q[1-9]\d{0,11})$/i

/** True for what Wikibase reads as the id of an item. */
export function isWikidataId(text: string): boolean {
  return ITEM_ID.test(text)
}

/**
 * `Q42` for `Q42`, ` q42 `, `wd:Q42`, the address of the item, of its mobile page, or its entity URI.
 * @returns undefined for everything else
 */
export function wikidataIdIn(text: string): string | undefined {
  return WRITTEN.exec(text.trim())?.[1]?.toUpperCase()
}
