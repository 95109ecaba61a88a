import { askedLanguages, type ItemFacts, type WantedFacts } from '../../core/wikidata/item-facts.ts'
import { field, isJsonObject, type JsonObject } from '../tolerant-json.ts'
import { statementValues } from './statement-values.ts'

/** @param entity of `wbgetentities`; undefined: there is none */
export function readItem(
  askedId: string,
  entity: JsonObject | undefined,
  wanted: WantedFacts,
): ItemFacts {
  const languages = askedLanguages(wanted.languages)
  const held = { heldLanguages: languages, heldPids: wanted.pids }
  if (entity === undefined) return missing(askedId, held)
  const id = field(entity, 'id')
  const revision = field(entity, 'lastrevid')
  return {
    askedId,
    id: typeof id === 'string' ? id : null,
    labels: firstTexts(textsIn(field(entity, 'labels'), languages)),
    aliases: Object.fromEntries(textsIn(field(entity, 'aliases'), languages)),
    descriptions: firstTexts(textsIn(field(entity, 'descriptions'), languages)),
    properties: statementValues(field(entity, 'claims'), wanted.pids, 'both'),
    revision: typeof revision === 'number' ? revision : null,
    ...held,
  }
}

function missing(askedId: string, held: Pick<ItemFacts, 'heldLanguages' | 'heldPids'>): ItemFacts {
  const nothing = { labels: {}, aliases: {}, descriptions: {}, properties: {}, revision: null }
  return { askedId, id: null, ...nothing, ...held }
}

type TextsOfLanguage = readonly [language: string, texts: readonly string[]]

/** `{"en": {"value": …}}` of labels and descriptions, `{"en": [{"value": …}]}` of aliases. */
function textsIn(map: unknown, languages: readonly string[]): readonly TextsOfLanguage[] {
  if (!isJsonObject(map)) return []
  return languages.flatMap((language): TextsOfLanguage[] => {
    const found = field(map, language)
    const entries: readonly unknown[] = Array.isArray(found) ? found : [found]
    const texts = entries.filter(isJsonObject).flatMap((entry) => {
      const value = field(entry, 'value')
      return typeof value === 'string' && value.trim() !== '' ? [value] : []
    })
    return texts.length === 0 ? [] : [[language, texts]]
  })
}

function firstTexts(texts: readonly TextsOfLanguage[]): Readonly<Record<string, string>> {
  return Object.fromEntries(texts.map(([language, [first = '']]) => [language, first]))
}
