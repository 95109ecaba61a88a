import { WIKIDATA_SERVICE } from '../wikidata/wikidata-service.ts'
import { wikidataIdIn } from './wikidata-id.ts'

/** Services whose items are those of Wikidata, whatever they say. */
const WIKIDATA_SERVICES: readonly string[] = ['sample', WIKIDATA_SERVICE]
const ADDRESS = /^https?:\/\//i
/** What an address has beyond the item: a place on its page, the form of its data. */
const BEYOND_ITEM = /(?:\.(?:json|rdf|ttl|nt|html))?\/?(?:[?#].*)?$/i

/**
 * The item that a text is the id or the address of, as `Q42`.
 * @returns undefined for a name, such as "Q2 Stadium"
 */
export function givenWikidataId(text: string): string | undefined {
  const trimmed = text.trim()
  if (!ADDRESS.test(trimmed)) return wikidataIdIn(trimmed)
  return wikidataIdIn(
    trimmed.replace(BEYOND_ITEM, '').replace('/Special:EntityData/', '/Special:EntityPage/'),
  )
}

/**
 * The id of an item as services write it: `Q42` for the usual forms of a Wikidata id, any other id as it stands.
 * @returns undefined for what cannot be an id of this service
 */
export function itemId(text: string, service: string): string | undefined {
  const wikidata = givenWikidataId(text)
  if (wikidata !== undefined) return wikidata
  return isWikidataService(service) || /\s/.test(text) ? undefined : text
}

/** Whether only ids of Wikidata can be items of the service; an address does not tell. */
export function isWikidataService(service: string): boolean {
  return WIKIDATA_SERVICES.includes(service)
}
