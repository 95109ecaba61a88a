import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CandidateList } from '../../../../src/core/matching/candidate.ts'
import { readCandidates } from '../../../../src/http/reconciliation/read-candidates.ts'

const read = (result: readonly unknown[], limit = 10): CandidateList => {
  const list = readCandidates(result, limit)
  if (!list) throw new Error('expected a usable list')
  return list
}

describe('readCandidates', () => {
  it('reads what a service shows beyond the specification: aliases and what the entity states', () => {
    const { candidates } = read([
      {
        id: 'Q1',
        name: 'Bern',
        score: 1,
        aliases: ['Berne', 7, '', 'Bern'],
        properties: {
          P17: [{ id: 'Q39', name: 'Switzerland' }],
          P569: 1191,
          P0: [null, {}],
          P1: [],
        },
      },
      { id: 'Q2', name: 'Berlin', score: 1, aliases: 'x', properties: 'y' },
    ])
    expect(candidates[0]?.names).toEqual(['Bern', 'Berne'])
    expect(candidates[0]?.properties).toEqual({
      P17: [{ id: 'Q39', name: 'Switzerland' }],
      P569: ['1191'],
    })
    expect(candidates[1]).not.toHaveProperty('properties')
  })

  it('reads the example of the specification', () => {
    const { candidates, truncated } = read([
      {
        id: '120333937',
        name: 'Urbaniak, Regina',
        description: '1969-| Diss.',
        score: 53.015232,
        match: false,
        features: [
          { id: 'name_tfidf', value: 378.239 },
          { id: 'pagerank', value: -3.1209 },
          { id: 'deprecated', value: false },
        ],
        type: [{ id: 'AuthorityResource', name: 'Normdatenressource' }, 'Person'],
      },
    ])
    expect(truncated).toBe(false)
    expect(candidates).toEqual([
      {
        id: '120333937',
        name: 'Urbaniak, Regina',
        names: ['Urbaniak, Regina'],
        description: '1969-| Diss.',
        types: [{ id: 'AuthorityResource', name: 'Normdatenressource' }, { id: 'Person' }],
        serviceScore: 53.015232,
        serviceMatch: false,
        features: [
          { id: 'name_tfidf', value: 378.239 },
          { id: 'pagerank', value: -3.1209 },
          { id: 'deprecated', value: false },
        ],
      },
    ])
  })

  it('case 12: keeps a candidate with null or missing fields, without a match', () => {
    const bare = {
      name: null,
      names: [],
      description: null,
      types: [],
      serviceScore: null,
      serviceMatch: false,
      features: [],
    }
    const nulls = { name: null, type: null, description: null, score: null, match: null }
    expect(read([{ id: 'Q1', ...nulls, features: null }, { id: 'Q2' }]).candidates).toEqual([
      { id: 'Q1', ...bare },
      { id: 'Q2', ...bare },
    ])
    for (const match of ['true', 1, {}, null]) {
      expect(read([{ id: 'Q1', match }]).candidates[0]?.serviceMatch).toBe(false)
    }
  })

  it.each([
    ['87.5', 87.5],
    [378.2, 378.2],
    [0, 0],
    [-3, -3],
    [' 1e2 ', 100],
    ['NaN', null],
    ['', null],
    ['0x10', null],
    ['Infinity', null],
    [true, null],
    [undefined, null],
  ])('case 13: reads the score %j as %j', (score, expected) => {
    expect(read([{ id: 'Q1', score }]).candidates[0]?.serviceScore).toBe(expected)
  })

  it('case 14: sorts by score, those without one last, equal ones as they came', () => {
    const { candidates } = read([
      { id: 'Q1' },
      { id: 'Q2', score: 5 },
      { id: 'Q3', score: '70' },
      { id: 'Q4', score: 5 },
      { id: 'Q5', score: -1 },
      { id: 'Q6' },
    ])
    expect(candidates.map(({ id }) => id)).toEqual(['Q3', 'Q2', 'Q4', 'Q5', 'Q1', 'Q6'])
  })

  it('case 14: trusts a match only when one candidate alone has it', () => {
    const matches = (...flags: readonly boolean[]): readonly boolean[] =>
      read(flags.map((match, i) => ({ id: `Q${i}`, match }))).candidates.map(
        ({ serviceMatch }) => serviceMatch,
      )
    expect(matches(false, true)).toEqual([false, true])
    expect(matches(true, true, false)).toEqual([false, false, false])
    // One entity under two names is one candidate.
    const twice = read([
      { id: 'Q1', name: 'a', match: true },
      { id: 'Q1', name: 'b', match: true },
    ])
    expect(twice.candidates.map(({ serviceMatch }) => serviceMatch)).toEqual([true])
  })

  it('case 14: merges an id that comes twice: best score, all names', () => {
    const { candidates } = read([
      { id: 'Q1', name: 'Wien', score: 60, type: 'Q515' },
      { id: 'Q2', score: 70 },
      { id: 'Q1', name: 'Vienna', score: 90, description: 'capital', type: ['Q515', 'Q5119'] },
    ])
    expect(candidates.map(({ id }) => id)).toEqual(['Q1', 'Q2'])
    expect(candidates[0]).toMatchObject({
      name: 'Wien',
      names: ['Wien', 'Vienna'],
      serviceScore: 90,
      description: 'capital',
      types: [{ id: 'Q515' }, { id: 'Q5119' }],
    })
  })

  it('case 20: a list as long as the limit is truncated', () => {
    const three = [{ id: 'Q1' }, { id: 'Q2' }, { id: 'Q3' }]
    expect(read(three, 3).truncated).toBe(true)
    expect(read(three, 4).truncated).toBe(false)
    // As the service counts: two of three places were taken by one entity.
    expect(read([{ id: 'Q1' }, { id: 'Q1' }, { id: 'Q2' }], 3).truncated).toBe(true)
    expect(read([], 3)).toEqual({ candidates: [], truncated: false })
  })

  it('counts a list with an unusable candidate as cut, and one of only such as no answer', () => {
    expect(read([{ name: 'no id', score: 100 }, { id: 'Q2' }])).toMatchObject({
      candidates: [{ id: 'Q2' }],
      truncated: true,
    })
    for (const broken of [{ name: 'x' }, 'Q1', null, { id: '' }, { id: 1.5 }, { id: null }]) {
      expect(readCandidates([broken], 10)).toBeUndefined()
    }
    expect(read([{ id: 42 }]).candidates[0]?.id).toBe('42')
  })

  it('limits what one answer can take in memory', () => {
    const huge = {
      id: 'Q1',
      name: `${'x'.repeat(1_999)}😀${'x'.repeat(9)}`,
      type: Array(500).fill('Q5'),
    }
    const { candidates, truncated } = read([
      huge,
      ...Array.from({ length: 999 }, (_, i) => ({ id: `P${i}` })),
    ])
    expect(candidates).toHaveLength(200)
    expect(truncated).toBe(true)
    expect(candidates[0]?.name).toBe('x'.repeat(1_999))
  })

  it('is harmless with __proto__ as id or key', () => {
    const entry: unknown = JSON.parse('{"__proto__": {"id": "Q1"}, "id": "__proto__", "score": 1}')
    expect(read([entry]).candidates).toMatchObject([{ id: '__proto__', serviceScore: 1 }])
    const inherited: unknown = JSON.parse('{"__proto__": {"id": "Q1"}}')
    expect(readCandidates([inherited], 10)).toBeUndefined()
  })

  it('never throws, keeps ids unique and scores falling, whatever a service sends', () => {
    const candidate = fc.record(
      {
        id: fc.oneof(fc.constantFrom('Q1', 'Q2', 'Q3'), fc.jsonValue()),
        name: fc.jsonValue(),
        score: fc.oneof(fc.double(), fc.string(), fc.jsonValue()),
        match: fc.oneof(fc.boolean(), fc.jsonValue()),
        type: fc.jsonValue(),
        features: fc.jsonValue(),
        aliases: fc.jsonValue(),
        properties: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(candidate, fc.jsonValue())), (result) => {
        const { candidates = [] } = readCandidates(result, 10) ?? {}
        const scores = candidates.map(({ serviceScore }) => serviceScore ?? -Infinity)
        expect(new Set(candidates.map(({ id }) => id)).size).toBe(candidates.length)
        expect(scores.every((score, i) => i === 0 || score <= (scores[i - 1] ?? 0))).toBe(true)
        expect(candidates.filter(({ serviceMatch }) => serviceMatch).length).toBeLessThan(2)
      }),
      { numRuns: 150 },
    )
  })
})
