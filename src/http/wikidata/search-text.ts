/**
 * Items that have all words of a text anywhere (`list=search`): finds "Lovelace, Ada" and words in any language; and
 * items that have a statement (`haswbstatement:`), which resolves identifiers exactly.
 */
import type { CandidateList } from '../../core/matching/candidate.ts'
import { isWikidataId } from '../../core/matching/wikidata-id.ts'
import { field, isJsonObject, type JsonObject } from '../tolerant-json.ts'
import { foundList } from './found-items.ts'

/**
 * @param query as the search reads it, operators included
 * @param limit 1 to 50
 */
export function textSearchParams(query: string, limit: number) {
  return {
    action: 'query',
    list: 'search',
    srsearch: query,
    srlimit: String(limit),
    srnamespace: '0',
    srinfo: '',
    srprop: '',
  }
}

/** @returns undefined when the answer is not one. */
export function readTextSearch(body: JsonObject, limit: number): CandidateList | undefined {
  const query = field(body, 'query')
  const found = isJsonObject(query) ? field(query, 'search') : undefined
  if (!Array.isArray(found)) return undefined
  const items = found.flatMap((entry: unknown) => {
    const title = isJsonObject(entry) ? field(entry, 'title') : undefined
    return typeof title === 'string' && isWikidataId(title) ? [{ id: title, name: null }] : []
  })
  const goesOn = field(body, 'continue') !== undefined
  return foundList(items, goesOn || found.length >= limit)
}
