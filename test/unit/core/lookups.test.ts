import { describe, expect, it } from 'vitest'
import { lookupKey, lookupsOf } from '../../../src/core/matching/lookups.ts'
import { mapRecord } from '../../../src/core/matching/mapped-record.ts'
import { thresholdsByKind, type ProjectSettings } from '../../../src/core/project-settings.ts'

const settings: ProjectSettings = {
  service: 'sample',
  kind: 'generic',
  languages: ['en'],
  types: [],
  limit: 10,
  thresholds: thresholdsByKind.generic,
  mapping: {
    name: 'name',
    variants: [{ column: 'variants', separator: '|' }],
    properties: [
      { pid: 'P131', columns: ['city'], kind: 'item', use: 'send' },
      { pid: 'P17', columns: ['country'], kind: 'item', use: 'compare' },
      { pid: 'P214', columns: ['viaf'], kind: 'id', use: 'send', split: ';' },
    ],
  },
}
/** Texts of one 32-bit hash, as Java and OpenRefine make it: every mixture of `Aa` and `BB`. */
const colliding = (pairs: number): readonly string[] =>
  pairs === 0 ? [''] : colliding(pairs - 1).flatMap((text) => [`${text}Aa`, `${text}BB`])
const lookups = (cells: Record<string, string>) => lookupsOf(mapRecord(cells, settings), settings)

describe('lookupKey', () => {
  it('case 10: of 100,000 names, most of them of one 32-bit hash, no two are equal', () => {
    const names = [...colliding(16), ...Array.from({ length: 40_000 }, (_, n) => `Q${n}`)]
    expect(new Set(names.map(hash32).slice(0, 2 ** 16)).size).toBe(1)
    const keys = names.map((query) => lookupKey({ query, types: [], limit: 10, properties: [] }))
    expect(new Set(keys).size).toBe(names.length)
    expect(names.length).toBeGreaterThan(100_000)
  })
})

function hash32(text: string): number {
  let hash = 0
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0
  return hash
}

describe('lookupsOf', () => {
  it('asks the main name first and each variant once', () => {
    const asked = lookups({ name: 'Aldi', variants: 'Aldi Nord| Aldi |Aldi Süd||' })
    expect(asked.map(({ query }) => query)).toEqual(['Aldi', 'Aldi Nord', 'Aldi Süd'])
  })

  it.each([[''], ['   '], ['\u00a0'], ['\u200b\ufeff']])(
    'case 1: a blank cell %j is not asked',
    (blank) => {
      expect(lookups({ name: blank, variants: blank })).toEqual([])
    },
  )

  it.each([['007804'], ['12'], ['5E1'], ['1919-01-01']])(
    'case 4: the number %s is sent as exactly this text',
    (text) => {
      expect(lookups({ name: text })[0]?.query).toBe(text)
    },
  )

  it.each([
    ['Tag (28. Tag 1932 : 1932 : Jena)'],
    ['Friedrich ("kön'],
    ['a\\b & c + d % e'],
    ['two\nlines'],
    ['haswbstatement:P31=Q5'],
  ])('case 6: %j is sent as it is', (text) => {
    expect(lookups({ name: text })[0]?.query).toBe(text)
  })

  it.each([['Q2 Stadium'], ['Q8 Petroleum']])('case 8: %s is a name, not an item id', (name) => {
    expect(lookups({ name })[0]).toMatchObject({ query: name, types: [] })
  })

  it.each([
    ['Q42'],
    [' q42 '],
    ['wd:Q42'],
    ['http://www.wikidata.org/entity/Q42'],
    ['https://www.wikidata.org/wiki/Q42'],
    ['https://www.wikidata.org/wiki/Q42?uselang=nl#P31'],
    ['https://m.wikidata.org/wiki/Q42'],
    ['https://www.wikidata.org/wiki/Special:EntityPage/Q42'],
    ['https://www.wikidata.org/wiki/Special:EntityData/Q42.json'],
  ])('case 7: %j is asked by its id, without what could hide the item', (name) => {
    expect(lookups({ name, city: 'Cambridge', variants: 'Douglas Adams' })).toEqual([
      { query: 'Q42', types: [], limit: 10, properties: [] },
      {
        query: 'Douglas Adams',
        types: [],
        limit: 10,
        properties: [{ pid: 'P131', v: 'Cambridge' }],
      },
    ])
  })

  it.each([['Q0'], ['Q42?'], ['Q42 Q43'], ['93'], ['https://example.org/wiki/Q42']])(
    'case 7: %s is no id, so it is asked as a name',
    (name) => {
      expect(lookups({ name, city: 'Essen' })[0]).toMatchObject({
        query: name,
        properties: [{ pid: 'P131' }],
      })
    },
  )

  it('a record without a name is asked by the identifiers that may be sent', () => {
    const viaf = 'https://viaf.org/viaf/113230702/; VIAF 2'
    const properties = [
      { pid: 'P131', v: 'Cambridge' },
      { pid: 'P214', v: ['113230702', '2'] },
    ]
    const asked = ['113230702', '2'].map((query) => ({ query, types: [], limit: 10, properties }))
    expect(lookups({ name: ' ', city: 'Cambridge', viaf })).toEqual(asked)
    expect(lookups({ name: 'x'.repeat(251), city: 'Cambridge', viaf })).toEqual(asked)
    expect(lookups({ name: '', city: 'Cambridge', country: 'GB' })).toEqual([])
    expect(lookups({ name: 'Adams', viaf }).map(({ query }) => query)).toEqual(['Adams'])
    expect(lookups({ name: 'Q42', viaf }).map(({ query }) => query)).toEqual(['Q42'])
  })

  it('case 9: equal names in different cities are two questions, equal rows are one', () => {
    const key = (cells: Record<string, string>) => lookups(cells).map(lookupKey)[0]
    const varna = { name: 'History museum', city: 'Varna' }
    expect(key(varna)).not.toBe(key({ name: 'History museum', city: 'Nesebar' }))
    expect(key(varna)).toBe(key({ ...varna, country: 'BG' }))
  })

  it('sends only properties marked to be sent, without blank values', () => {
    expect(lookups({ name: 'Aldi', city: ' ', country: 'DE' })[0]?.properties).toEqual([])
    expect(lookups({ name: 'Aldi', city: 'Essen', country: 'DE' })[0]?.properties).toEqual([
      { pid: 'P131', v: 'Essen' },
    ])
  })

  it('sends an identifier once, as Wikidata writes it, and what it cannot read as it is', () => {
    const viaf = 'https://viaf.org/viaf/113230702/; 113230702; see there'
    expect(lookups({ name: 'Adams', viaf })[0]?.properties).toEqual([
      { pid: 'P214', v: ['113230702', 'see there'] },
    ])
  })

  it('asks a library heading in natural order, with given names in full, then as it stands', () => {
    const queries = (name: string, kind: ProjectSettings['kind']) => {
      const of = { ...settings, kind }
      return lookupsOf(mapRecord({ name }, of), of).map(({ query }) => query)
    }
    const heading = 'Wells, H. G. (Herbert George), 1866-1946, author'
    expect(queries(heading, 'person')).toEqual(['H. G. Wells', 'Herbert George Wells', heading])
    expect(queries(heading, 'work')).toEqual([heading])
    const body = 'United States. Department of State'
    expect(queries(body, 'organisation')).toEqual([body, 'Department of State'])
  })
})
