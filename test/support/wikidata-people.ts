/** People, as Wikidata and as a file have them. Ids must differ between the tests of a file: items are kept. */
import { entity, type FakeEntity, statement } from './fake-wikidata.ts'
import type { TestRecord } from './match-project-rows.ts'

export function itemValue(id: string): unknown {
  return statement('wikibase-entityid', { 'entity-type': 'item', id })
}

export const human = entity('Q5', { labels: { en: 'human' } })
export const unitedKingdom = entity('Q145', { labels: { en: 'United Kingdom' } })

/** A person of the United Kingdom, born on this day. */
export function person(
  id: string,
  name: string,
  birth: string,
  facts: { readonly viaf?: string; readonly language?: string } = {},
): FakeEntity {
  return entity(id, {
    labels: { [facts.language ?? 'en']: name },
    claims: {
      P31: [itemValue('Q5')],
      P27: [itemValue('Q145')],
      P569: [statement('time', { time: `+${birth}T00:00:00Z`, precision: 11 })],
      ...(facts.viaf === undefined ? {} : { P214: [statement('string', facts.viaf)] }),
    },
  })
}

/** A line of a file with the columns name, variants, born, viaf and country. */
export function personRow(
  id: string,
  name: string,
  cells: Readonly<Record<string, string>> = {},
): TestRecord {
  return { id, name, variants: '', born: '', viaf: '', country: '', ...cells }
}
