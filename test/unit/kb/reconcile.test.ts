import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createKbIndex } from '../../../src/kb/kb-index.ts'
import { reconcile, type ReconciliationCandidate } from '../../../src/kb/reconcile.ts'
import { parseQueryBatch } from '../../../src/kb/query-batch.ts'
import { kbItem, smallIndex } from './kb-items.ts'

const index = smallIndex()

function ask(query: object, limit = 10): readonly ReconciliationCandidate[] {
  const { queries, problems } = parseQueryBatch([['q', query]])
  expect(problems).toEqual([])
  return queries.flatMap(([, parsed]) => reconcile(index, parsed, limit))
}

const ids = (candidates: readonly ReconciliationCandidate[]): readonly string[] =>
  candidates.map(({ id }) => id)

describe('names', () => {
  it.each([
    ['exact', 'Carrefour', 'Q217599'],
    ['in other case, with marks left out', 'EDOUARD MANET', 'Q40599'],
    ['reordered', 'Monet, Claude', 'Q296'],
    ['misspelt', 'Carefour', 'Q217599'],
    ['misspelt and reordered', 'Manett, Edourd', 'Q40599'],
    ['an alias', 'Marks and Sparks', 'Q714491'],
    ['with "and" for "&"', 'Marks and Spencer', 'Q714491'],
    ['written together', 'Marks&Spencer', 'Q714491'],
    ['without its legal form', 'Q8 Petroleum', 'Q8'],
    ['as an acronym', 'BOQ', 'Q781365'],
    ['inside a longer text', 'Department of Art, Claude Monet Museum, Giverny', 'Q296'],
    ['transliterated', 'Fedor Dostoevskii', 'Q991'],
    ['in Cyrillic', 'ФЁДОР ДОСТОЕВСКИЙ', 'Q991'],
    ['in Japanese', '東京', 'Q1490'],
  ])('finds a name %s', (_, query, id) => {
    expect(ids(ask({ query }))[0]).toBe(id)
  })

  it('scores an exact name 100 and any other less', () => {
    expect(ask({ query: 'carrefour' })[0]?.score).toBe(100)
    expect(ask({ query: 'Edouard Manet' })[0]?.score).toBe(99)
    expect(ask({ query: 'Carefour' })[0]?.score).toBeLessThan(92)
    expect(ask({ query: 'Fedor Dostoevskii' })[0]?.score).toBeLessThanOrEqual(85)
  })

  it('finds a country by its name in another language', () => {
    const countries = createKbIndex([kbItem('Q40', 'Austria'), kbItem('Q408', 'Australia')])
    const { queries } = parseQueryBatch([['q', { query: 'Autriche' }]])
    const found = queries.flatMap(([, query]) => reconcile(countries, query, 10))
    expect(ids(found)[0]).toBe('Q40')
    expect(found[0]?.score).toBeLessThan(98)
  })

  it('shows what it knows of a candidate, so that a client can judge by itself', () => {
    const [first] = ask({ query: 'M&S' })
    expect(first).toMatchObject({
      id: 'Q714491',
      aliases: ['M&S', 'Marks and Sparks'],
      properties: { P17: [{ id: 'Q145', name: 'United Kingdom' }] },
    })
  })

  it('shows of many aliases those most like the query', () => {
    const aliases = Array.from({ length: 50 }, (_, at) => `Name ${at}`)
    const many = createKbIndex([kbItem('Q1', 'Label', { aliases })])
    const { queries } = parseQueryBatch([['q', { query: 'Name 49' }]])
    const [found] = queries.flatMap(([, query]) => reconcile(many, query, 10))
    expect(found?.aliases?.[0]).toBe('Name 49')
    expect(found?.aliases).toHaveLength(20)
  })

  it('finds nothing for a name that is like no other', () => {
    expect(ask({ query: 'Xqzwvk' })).toEqual([])
  })

  it('takes an id, or an address that ends in one, for the item itself', () => {
    expect(ask({ query: ' Q296 ' })[0]).toMatchObject({ id: 'Q296', score: 100, match: true })
    expect(ids(ask({ query: 'https://www.wikidata.org/wiki/Q296' }))[0]).toBe('Q296')
    expect(ids(ask({ query: 'Q8 Petroleum' }))).not.toContain('Q296')
  })

  it('is not upset by any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 600 }), (query) => {
        if (query.trim() === '') return
        const candidates = ask({ query })
        expect(candidates.every(({ score }) => score > 0 && score <= 100)).toBe(true)
        expect(ask({ query })).toEqual(candidates)
      }),
      { numRuns: 100 },
    )
  })
})

describe('match', () => {
  it('is true for the only exact name, clearly ahead', () => {
    expect(ask({ query: 'Carrefour' }).map(({ match }) => match)).toEqual([true, false])
  })

  it('is false for homonyms, whose order is by id', () => {
    const candidates = ask({ query: 'Oxford' })
    expect(ids(candidates)).toEqual(['Q34217', 'Q1012665'])
    expect(candidates.some(({ match }) => match)).toBe(false)
  })

  it('is false for a misspelt name', () => {
    expect(ask({ query: 'Carefour' })[0]?.match).toBe(false)
  })

  it('is false when a property says otherwise', () => {
    const properties = [{ pid: 'P17', v: 'France' }]
    expect(ask({ query: 'Marks & Spencer', properties })[0]?.match).toBe(false)
  })
})

describe('types', () => {
  it('leaves only items of the type, or of a type below it', () => {
    expect(ids(ask({ query: 'Tokyo', type: 'Q515' }))).toEqual(['Q1490'])
    expect(ask({ query: 'Tokyo', type: 'Q5' })).toEqual([])
    expect(ids(ask({ query: 'Tokyo', type: ['Q5', 'Q1549591'] }))).toEqual(['Q1490'])
  })

  it('wants each type when type_strict is "all"', () => {
    const type = ['Q431289', 'Q507619']
    expect(ids(ask({ query: 'M&S', type, type_strict: 'all' }))).toEqual(['Q714491'])
    expect(ask({ query: 'Carrefour', type, type_strict: 'all' })).toEqual([])
  })

  it('only lowers other types when type_strict is "should"', () => {
    const [first] = ask({ query: 'Carrefour', type: 'Q5', type_strict: 'should' })
    expect(first).toMatchObject({ id: 'Q217599', score: 70, match: false })
    expect(first?.features).toContainEqual({ id: 'type', value: false })
  })

  it('means nothing in a file without types', () => {
    const untyped = createKbIndex([kbItem('A1', 'Acme')])
    const query = { query: 'Acme', types: ['Q5'], typeStrict: 'any', properties: [] } as const
    expect(reconcile(untyped, { ...query, limit: undefined }, 5)).toHaveLength(1)
  })

  it('names a type by its own row, else by its id', () => {
    expect(ask({ query: 'M&S' })[0]?.type).toEqual([
      { id: 'Q431289', name: 'brand' },
      { id: 'Q507619', name: 'Q507619' },
    ])
  })
})

describe('properties', () => {
  it.each([
    ['the name of an item', 'United Kingdom'],
    ['its id', { id: 'Q145' }],
    ['one of several', ['France', { id: 'Q145', name: 'UK' }]],
  ])('decide between homonyms by %s', (_, v) => {
    const [first, second] = ask({ query: 'Oxford', properties: [{ pid: 'P17', v }] })
    expect(first).toMatchObject({ id: 'Q34217', score: 100, match: true })
    expect(first?.features).toContainEqual({ id: 'P17', value: 100 })
    expect(second?.features).toContainEqual({ id: 'P17', value: 0 })
  })

  it('that an item does not state count half, that no item states not at all', () => {
    const [stated] = ask({ query: 'Carrefour', properties: [{ pid: 'P17', v: 'France' }] })
    expect(stated).toMatchObject({ id: 'Q217599', score: 85.7 })
    expect(stated?.features).toEqual([{ id: 'name', value: 100 }])
    const [unused] = ask({ query: 'Carrefour', properties: [{ pid: 'P999', v: 'x' }] })
    expect(unused?.score).toBe(100)
  })

  it('lead to the only item that states a value, whatever its name', () => {
    const properties = [{ pid: 'P245', v: 500_019_484 }]
    expect(ask({ query: 'Somebody else entirely', properties })[0]).toMatchObject({
      id: 'Q296',
      score: 80,
      match: false,
    })
  })

  it('may be all there is to a question', () => {
    const candidates = ask({ properties: [{ pid: 'P17', v: 'united kingdom' }] })
    expect(ids(candidates)).toEqual(['Q34217', 'Q714491'])
    expect(candidates[0]?.match).toBe(false)
    expect(ask({ properties: [{ pid: 'P245', v: '500019484' }] })[0]).toMatchObject({
      id: 'Q296',
      score: 100,
      match: true,
    })
  })

  it('with blank values are left out', () => {
    const properties = [
      { pid: 'P17', v: ['', ' '] },
      { pid: 'P569', v: null },
    ]
    expect(ask({ query: 'Claude Monet', properties })[0]?.score).toBe(100)
  })
})

it('finds nothing for a blank question', () => {
  expect(ask({ query: ' ' })).toEqual([])
  expect(ask({ properties: [{ pid: 'P17', v: '' }] })).toEqual([])
})

it('returns no more candidates than asked for', () => {
  expect(ask({ query: 'Carrefour' }, 1)).toHaveLength(1)
})

describe('identifiers', () => {
  it('an item is found by its id or by an identifier alone, which says nothing of its name', () => {
    for (const query of ['Q296', 'http://vocab.getty.edu/ulan/500019484', '500019484']) {
      const [first, ...others] = ask({ query })
      expect(first).toMatchObject({ id: 'Q296', score: 100, match: true, features: [] })
      expect(ids(others)).toEqual([])
    }
    expect(ids(ask({ query: '500019485' }))).toEqual([])
  })
})
