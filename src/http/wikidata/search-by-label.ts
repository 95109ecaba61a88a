/**
 * Items whose label or alias begins with a text (`wbsearchentities`, research reconciliation §2.2): finds "USA", does
 * not find "Lovelace, Ada".
 */
import type { CandidateList } from '../../core/matching/candidate.ts'
import { isWikidataId } from '../../core/matching/wikidata-id.ts'
import { field, isJsonObject, type JsonObject } from '../tolerant-json.ts'
import { type FoundItem, foundList } from './found-items.ts'

/** @param limit 1 to 50 */
export function labelSearchParams(text: string, language: string, limit: number) {
  return {
    action: 'wbsearchentities',
    search: text,
    language,
    uselang: language,
    type: 'item',
    limit: String(limit),
    props: '',
  }
}

/** @returns undefined when the answer is not one. */
export function readLabelSearch(body: JsonObject, limit: number): CandidateList | undefined {
  const found = field(body, 'search')
  if (!Array.isArray(found)) return undefined
  const goesOn = field(body, 'search-continue') !== undefined
  return foundList(found.filter(isJsonObject).flatMap(readFound), goesOn || found.length >= limit)
}

function readFound(entry: JsonObject): readonly FoundItem[] {
  const id = field(entry, 'id')
  if (typeof id !== 'string' || !isWikidataId(id)) return []
  const match = field(entry, 'match')
  const isName = isJsonObject(match) && field(match, 'type') !== 'entityId'
  const text = isName ? field(match, 'text') : undefined
  return [{ id, name: typeof text === 'string' && text.trim() !== '' ? text : null }]
}
