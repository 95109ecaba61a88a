import { WIKIDATA_SERVICES } from '../../db/services.repo.ts'

// "Q42", " q42 ", wd:Q42, and addresses of the item or its mobile page.
const WIKIDATA_ITEM =
  /^(?:wd:|https?:\/\/(?:www\.|m\.)?wikidata\.org\/(?:entity|wiki)\/(?:Special:EntityPage\/)?)?(Q[1-9]\d*)$/i

/**
 * The id of an item as services write it: `Q42` for the usual forms of a Wikidata id, any other id as it stands.
 * @returns undefined for what cannot be an id of this service
 */
export function itemId(text: string, service: string): string | undefined {
  const wikidata = WIKIDATA_ITEM.exec(text)?.[1]
  if (wikidata !== undefined) return wikidata.toUpperCase()
  return WIKIDATA_SERVICES.includes(service) || /\s/.test(text) ? undefined : text
}
