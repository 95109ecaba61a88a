import { describe, expect, it } from 'vitest'
import { lookupKey, lookupsOf } from '../../../../src/core/matching/lookups.ts'
import { mapRecord } from '../../../../src/core/matching/mapped-record.ts'
import { thresholdsByKind, type ProjectSettings } from '../../../../src/core/project-settings.ts'

const base: ProjectSettings = {
  service: 'wikidata',
  kind: 'generic',
  languages: ['nl', 'en'],
  types: ['Q5'],
  limit: 10,
  thresholds: thresholdsByKind.generic,
  mapping: {
    name: 'name',
    variants: [{ column: 'variants', separator: '|' }],
    properties: [
      { pid: 'P214', columns: ['viaf'], kind: 'id', use: 'send' },
      { pid: 'P227', columns: ['gnd'], kind: 'id', use: 'compare' },
    ],
  },
}
const asked = (cells: Record<string, string>, changes: Partial<ProjectSettings> = {}) => {
  const settings = { ...base, ...changes }
  return lookupsOf(mapRecord(cells, settings), settings)
}
const texts = (cells: Record<string, string>, changes: Partial<ProjectSettings> = {}) =>
  asked(cells, changes).map(({ search, language, query }) =>
    [search, language, query].filter((part) => part !== undefined).join(' '),
  )

describe('what Wikidata is asked about a record', () => {
  it('its identifiers, then names by label in each language, then names as words', () => {
    const cells = { name: 'Ada Lovelace', variants: 'Ada Byron', viaf: '97105654' }
    expect(texts(cells)).toEqual([
      'text haswbstatement:"P214=97105654"',
      'label nl Ada Lovelace',
      'label en Ada Lovelace',
      'label nl Ada Byron',
      'label en Ada Byron',
      'text Ada Lovelace',
      'text Ada Byron',
    ])
  })

  it('an identifier is asked for as Wikidata writes it, one of an unknown sort in every form it may have', () => {
    expect(texts({ viaf: 'https://viaf.org/viaf/97105654/' })).toEqual([
      'text haswbstatement:"P214=97105654"',
    ])
    const properties = [{ pid: 'P99999', columns: ['no'], kind: 'id', use: 'send' } as const]
    expect(
      texts({ no: 'http://a.example/12 34' }, { mapping: { ...base.mapping, properties } }),
    ).toEqual(['text haswbstatement:"P99999=12 34|P99999=http://a.example/12 34|P99999=1234"'])
  })

  it('case 7: an item that is given is looked up by its id before anything else, in whatever settings', () => {
    expect(texts({ name: ' wd:q42 ' }, { languages: ['en'] })).toEqual(['id Q42'])
    expect(texts({ name: 'Q42', variants: 'Ada' }, { languages: ['en'] })).toEqual([
      'id Q42',
      'label en Ada',
      'text Ada',
    ])
    const keys = (limit: number) => asked({ name: 'Q42' }, { limit, types: [] }).map(lookupKey)
    expect(keys(5)).toEqual(keys(10))
  })

  it('an identifier that is only compared never leaves the machine', () => {
    expect(texts({ name: 'A', gnd: '118' }).join()).not.toContain('118')
  })

  it('case 5: a name too long for a label is not asked for, an identifier beside it is', () => {
    const astral = '𝔘'.repeat(251)
    expect(texts({ name: astral })).toEqual([])
    expect(texts({ name: astral, viaf: '1' })).toEqual(['text haswbstatement:"P214=1"'])
  })

  it('case 6: a name is a text by label, and words without operators elsewhere', () => {
    const name = 'haswbstatement:P31=Q5\nor "x"'
    expect(texts({ name }, { languages: ['en'] })).toEqual([
      'label en haswbstatement:P31=Q5 or "x"',
      'text haswbstatement P31 Q5 or x',
    ])
  })

  it('case 8: a name that looks like an id is searched for as a text', () => {
    expect(texts({ name: 'Q2 Stadium' }, { languages: ['en'] })).toEqual([
      'label en Q2 Stadium',
      'text Q2 Stadium',
    ])
  })

  it('a name of signs alone is asked for by label only', () => {
    expect(texts({ name: '!!!' }, { languages: ['en'] })).toEqual(['label en !!!'])
  })

  it('names with the same words in another order are one search by words', () => {
    const cells = { name: 'Adams, Douglas', variants: 'Douglas Adams' }
    expect(texts(cells, { languages: ['en'] })).toEqual([
      'label en Adams, Douglas',
      'label en Douglas Adams',
      'text Adams Douglas',
    ])
  })

  it('the number of searches has a limit, whatever the number of names', () => {
    const variants = Array.from({ length: 30 }, (_, index) => `Name ${index}`).join('|')
    expect(asked({ name: 'A', variants, viaf: '1' })).toHaveLength(1 + 8 + 3)
  })
})

describe('the key of a search', () => {
  it('has what is sent and nothing else: types and compared cells do not ask again', () => {
    const keys = (changes: Partial<ProjectSettings>) =>
      asked({ name: 'Ada', gnd: '1' }, changes).map(lookupKey)
    expect(keys({ types: ['Q6'] })).toEqual(keys({ types: [] }))
    expect(keys({ limit: 20 })).not.toEqual(keys({}))
    expect(keys({ languages: ['nl'] })[0]).toBe(keys({})[0])
    expect(new Set(keys({})).size).toBe(3)
  })
})
