/** What items of Wikidata state; items that are values of theirs come with their names. */
import type { HeldValue } from '../../core/matching/candidate.ts'
import { isWikidataId } from '../../core/matching/wikidata-id.ts'
import { MOST_ITEMS_TOGETHER } from '../../core/wikidata/fetch-plan.ts'
import { askedLanguages, labelOf } from '../../core/wikidata/item-facts.ts'
import { OutsideCallError } from '../../errors.ts'
import { field, isJsonObject, type JsonObject } from '../tolerant-json.ts'
import type { FetchOptions, ItemAnswer, ItemHoldings, ValueSource } from '../value-source.ts'
import type { ActionApi } from './action-api.ts'
import { askEntities, type EntityResult } from './ask-entities.ts'
import { fetchEntities } from './fetch-entities.ts'
import { fetchItems } from './fetch-items.ts'
import { statementValues } from './statement-values.ts'
import { type WantedValue, wantedParams, wantedValue } from './wanted-values.ts'

type Held = ItemHoldings['held']
type Names = Map<string, string | undefined>

/** @throws `fetchValues`: OutsideCallError kind `endpoint` too, for a property that is none */
export function createWikidataValues(api: ActionApi): ValueSource {
  /**
   * Names of values met so far, by languages and id. They outlive a call that is told to wait in their middle: fifty
   * films name thousands of actors, and asked for from the start each time they might never all come.
   */
  let known = new Map<string, Names>()
  return {
    async fetchValues(ids, properties, options) {
      const wanted = properties.map(wantedValue)
      const params = wantedParams(wanted)
      const languages = options.languages.join(' ')
      const names: Names = known.get(languages) ?? new Map<string, string | undefined>()
      known.set(languages, names)
      await askEntities(
        ids,
        async (items) => {
          const found = await fetchEntities(api, items, params, options)
          const answers = items.map((item) => heldBy(found.get(item), wanted))
          await learnNames(api, answers.flatMap(namedIds), names, options)
          return answers.map((held) => ({ held: held && withNames(held, names) }))
        },
        (results) => options.onAnswer(results.map(answerOf)),
      )
      known = new Map()
    },
  }
}

function answerOf(result: EntityResult<{ readonly held: Held | null }>): ItemAnswer {
  const { item: id } = result
  if (result.status === 'failed') return { id, status: 'failed', error: result.error }
  return result.held === null
    ? { id, status: 'failed', error: itemGone() }
    : { id, status: 'answered', held: result.held }
}

function heldBy(entity: JsonObject | undefined, wanted: readonly WantedValue[]): Held | null {
  if (entity === undefined) return null
  return Object.fromEntries(wanted.map((value) => [value.property, valuesOf(entity, value)]))
}

function valuesOf(entity: JsonObject, { kind, of }: WantedValue): readonly HeldValue[] {
  return READERS[kind](entity, of)
}

const READERS: Readonly<
  Record<WantedValue['kind'], (entity: JsonObject, of: string) => readonly HeldValue[]>
> = {
  statements: (entity, pid) => statementValues(field(entity, 'claims'), [pid])[pid] ?? [],
  label(entity, language) {
    const own = texts(entity, 'labels', language)
    return own.length > 0 ? own : texts(entity, 'labels', 'mul')
  },
  aliases: (entity, language) => [
    ...new Set([...texts(entity, 'aliases', language), ...texts(entity, 'aliases', 'mul')]),
  ],
  description: (entity, language) => texts(entity, 'descriptions', language),
  sitelink: (entity, site) => texts(entity, 'sitelinks', site, 'title'),
}

function texts(entity: JsonObject, part: string, key: string, name = 'value'): readonly string[] {
  return textsOf(inside(field(entity, part), key), name)
}

function inside(map: unknown, key: string): unknown {
  return isJsonObject(map) ? field(map, key) : undefined
}

function textsOf(found: unknown, name: string): readonly string[] {
  const entries: readonly unknown[] = Array.isArray(found) ? found : [found]
  return entries.flatMap((entry) => {
    const text = inside(entry, name)
    return typeof text === 'string' && text.trim() !== '' ? [text] : []
  })
}

function namedIds(held: Held | null): readonly string[] {
  return Object.values(held ?? {})
    .flat()
    .flatMap((value) => (typeof value === 'string' ? [] : [value.id]))
    .filter(isWikidataId)
}

async function learnNames(
  api: ActionApi,
  ids: readonly string[],
  names: Names,
  { languages, ...call }: FetchOptions,
): Promise<void> {
  const unknown = [...new Set(ids)].filter((id) => !names.has(id))
  const wanted = { languages: askedLanguages(languages), pids: [] }
  for (let from = 0; from < unknown.length; from += MOST_ITEMS_TOGETHER) {
    const fetch = { ids: unknown.slice(from, from + MOST_ITEMS_TOGETHER), wanted }
    for (const item of await fetchItems(api, fetch, call)) {
      names.set(item.askedId, labelOf(item, languages) ?? undefined)
    }
  }
}

function withNames(held: Held, names: ReadonlyMap<string, string | undefined>): Held {
  const named = (value: HeldValue): HeldValue =>
    typeof value === 'string' ? value : { id: value.id, name: names.get(value.id) }
  return Object.fromEntries(
    Object.entries(held).map(([property, values]) => [property, values.map(named)]),
  )
}

function itemGone(): OutsideCallError {
  return new OutsideCallError({
    kind: 'permanent',
    code: 'item_gone',
    message: 'Wikidata has no such item any more: it was deleted, or merged twice.',
    hint: 'See all such items: ./record-linker recheck --project ID',
  })
}
