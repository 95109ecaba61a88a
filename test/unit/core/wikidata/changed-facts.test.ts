import { expect, it } from 'vitest'
import { isChanged } from '../../../../src/core/wikidata/changed-facts.ts'
import type { ItemFacts } from '../../../../src/core/wikidata/item-facts.ts'

const facts = (changes: Partial<ItemFacts> = {}): ItemFacts => ({
  askedId: 'Q1',
  id: 'Q1',
  labels: { en: 'Ada', nl: 'Ada' },
  aliases: { en: ['A.', 'B.'] },
  descriptions: { en: 'a mathematician' },
  properties: { P31: [{ id: 'Q5' }], P569: ['1815-12-10'], P18: ['Old.jpg'] },
  sitelinks: null,
  revision: 1,
  heldLanguages: ['en', 'nl'],
  heldPids: ['P31', 'P569', 'P18'],
  ...changes,
})

it.each<[string, Partial<ItemFacts>]>([
  ['was renamed', { labels: { en: 'Ada', nl: 'Augusta Ada' } }],
  ['is described otherwise', { descriptions: { en: 'a programmer' } }],
  ['has another alias', { aliases: { en: ['A.'] } }],
  ['has another value', { properties: { P31: [{ id: 'Q5' }], P569: ['1815-12-11'] } }],
  ['lost a value', { properties: { P31: [{ id: 'Q5' }] } }],
  ['was merged', { id: 'Q2' }],
  ['is gone', { id: null }],
])('an item that %s has changed', (_, changes) =>
  expect([isChanged(facts(), facts(changes)), isChanged(facts(changes), facts())]).toEqual([
    true,
    true,
  ]),
)

it.each<[string, Partial<ItemFacts>]>([
  ['is of another revision', { revision: 2 }],
  ['has its aliases in another order', { aliases: { en: ['B.', 'A.'] } }],
  ['was asked for fewer languages', { labels: { en: 'Ada' }, heldLanguages: ['en'] }],
  [
    'was asked for more properties',
    {
      properties: { ...facts().properties, P214: ['1'] },
      heldPids: ['P31', 'P569', 'P214'],
    },
  ],
  [
    'has another picture',
    { properties: { P31: [{ id: 'Q5' }], P569: ['1815-12-10'], P18: ['New.jpg'] } },
  ],
  ['is linked to by more pages', { sitelinks: 12 }],
  ['was asked for its names only', { aliases: {}, descriptions: {}, properties: {}, heldPids: [] }],
])('an item that %s has not', (_, changes) =>
  expect([isChanged(facts(), facts(changes)), isChanged(facts(changes), facts())]).toEqual([
    false,
    false,
  ]),
)

it('what is gone and was gone has not changed', () =>
  expect(isChanged(facts({ id: null }), facts({ id: null, labels: {} }))).toBe(false))
