/** Items as the table of items keeps them. */
import type { HeldValue } from '../../../../src/core/matching/candidate.ts'
import type { SubjectAnswer } from '../../../../src/core/matching/judge-subject.ts'
import type { ItemFacts, WantedFacts } from '../../../../src/core/wikidata/item-facts.ts'
import { holds } from '../../../../src/core/wikidata/item-facts.ts'
import type { ProvideItems, ShelvedItem } from '../../../../src/core/wikidata/item-shelf.ts'

export function facts(id: string, changes: Partial<ItemFacts> = {}): ItemFacts {
  return {
    askedId: id,
    id,
    labels: {},
    aliases: {},
    descriptions: {},
    properties: {},
    revision: 1,
    sitelinks: null,
    heldLanguages: ['en', 'mul'],
    heldPids: ['P31', 'P279', 'P17', 'P131', 'P159', 'P214', 'P27'],
    ...changes,
  }
}

export function item(id: string, properties: Readonly<Record<string, readonly string[]>>) {
  const values = Object.entries(properties).map(([pid, ids]): [string, HeldValue[]] => [
    pid,
    ids.map((one) => (one.startsWith('Q') ? { id: one } : one)),
  ])
  return facts(id, { labels: { en: `label of ${id}` }, properties: Object.fromEntries(values) })
}

/** Provides these items, and tells what was wanted. */
export function shop(
  items: readonly ItemFacts[],
  failed: readonly string[] = [],
): { readonly provide: ProvideItems; readonly wanted: (readonly [string, WantedFacts])[] } {
  const byId = new Map(items.map((one) => [one.askedId, one]))
  const wanted: (readonly [string, WantedFacts])[] = []
  return {
    wanted,
    provide: async (ids, facts_) => {
      wanted.push([ids.join(' '), facts_])
      const found = ids.flatMap((id): [string, ShelvedItem][] => {
        if (failed.includes(id)) return [[id, { status: 'failed', code: 'bad', message: 'no' }]]
        const known = byId.get(id)
        if (known === undefined || !holds(known, facts_)) return []
        return [[id, { status: 'known', facts: known }]]
      })
      return new Map(found)
    },
  }
}

export function answerOf(...ids: readonly string[]): SubjectAnswer {
  const bare = { name: null, names: [], description: null, types: [], features: [] }
  return {
    position: 0,
    status: 'answered',
    list: {
      truncated: false,
      candidates: ids.map((id) => ({ ...bare, id, serviceScore: null, serviceMatch: false })),
    },
    errorCode: null,
    errorMessage: null,
  }
}
