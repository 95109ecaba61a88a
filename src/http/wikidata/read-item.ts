import { askedLanguages, type ItemFacts, type WantedFacts } from '../../core/wikidata/item-facts.ts'
import { field, isJsonObject, type JsonObject } from '../tolerant-json.ts'
import { shownPids } from '../../core/wikidata/item-needs.ts'
import { statementValues } from './statement-values.ts'

/** @param entity of `wbgetentities`; undefined: there is none */
export function readItem(
  askedId: string,
  entity: JsonObject | undefined,
  wanted: WantedFacts,
): ItemFacts {
  const languages = askedLanguages(wanted.languages)
  const pids = wanted.pids.length === 0 ? [] : [...new Set([...wanted.pids, ...shownPids])]
  const held = { heldLanguages: languages, heldPids: pids }
  if (entity === undefined) return missing(askedId, held)
  const id = field(entity, 'id')
  const revision = field(entity, 'lastrevid')
  return {
    askedId,
    id: typeof id === 'string' ? id : null,
    labels: firstTexts(textsIn(field(entity, 'labels'), languages)),
    aliases: Object.fromEntries(textsIn(field(entity, 'aliases'), languages)),
    descriptions: firstTexts(textsIn(field(entity, 'descriptions'), languages)),
    properties: statementValues(field(entity, 'claims'), pids, 'both'),
    revision: typeof revision === 'number' ? revision : null,
    sitelinks: sitelinksOf(entity),
    ...held,
  }
}

function missing(askedId: string, held: Pick<ItemFacts, 'heldLanguages' | 'heldPids'>): ItemFacts {
  const texts = { labels: {}, aliases: {}, descriptions: {} }
  return { askedId, id: null, ...texts, properties: {}, revision: null, sitelinks: null, ...held }
}

/** An item without any has an empty list there: PHP knows no empty object. */
function sitelinksOf(entity: JsonObject): number | null {
  const links = field(entity, 'sitelinks')
  if (Array.isArray(links)) return links.length
  return isJsonObject(links) ? Object.keys(links).length : null
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
