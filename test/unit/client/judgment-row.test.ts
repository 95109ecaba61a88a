import { describe, expect, it } from 'vitest'
import { itemId } from '../../../src/core/matching/item-id.ts'
import { judgmentOfRow } from '../../../src/client/judgments/judgment-row.ts'

const read = (cells: Readonly<Record<string, string>>, service = 'sample') =>
  judgmentOfRow({ line: 2, cells }, 'me', service)

describe('a row', () => {
  it('becomes a judgment', () => {
    expect(
      read({ id: ' 1', verdict: 'match', qid: 'wd:q42', at: '2026-11-27T10:00:00Z', note: 'x' }),
    ).toEqual({
      judgment: {
        line: 2,
        externalId: ' 1',
        verdict: 'match',
        qid: 'Q42',
        by: 'me',
        at: new Date('2026-11-27T10:00:00Z'),
        note: 'x',
        matchHash: null,
      },
    })
    expect(read({ id: '1', verdict: 'undo', by: 'you' })).toMatchObject({
      judgment: { verdict: 'undo', qid: null, by: 'you', at: null },
    })
  })

  it('is refused with all its faults at once', () => {
    const row = read({ id: ' ', verdict: 'yes', qid: 'Berlin', at: 'yesterday', match_hash: 'x' })
    expect(row).toMatchObject({
      faults: [
        'id is blank',
        expect.stringContaining('verdict is "yes", expected match, none_fits'),
        expect.stringContaining('qid "Berlin"'),
        expect.stringContaining('at is "yesterday"'),
        'match_hash is no SHA-256',
      ],
    })
    expect(read({ id: '1', verdict: 'match' })).toHaveProperty('faults')
    expect(read({ id: '1', verdict: 'none_fits', qid: 'Q1' })).toHaveProperty('faults')
    expect(read({ id: '1', verdict: 'none_fits', at: '2026-13-45' })).toHaveProperty('faults')
  })
})

it.each([
  ['Q42', 'Q42'],
  ['q42', 'Q42'],
  ['wd:Q42', 'Q42'],
  ['http://www.wikidata.org/entity/Q42', 'Q42'],
  ['https://m.wikidata.org/wiki/Q42', 'Q42'],
  ['Q2 Stadium', undefined],
  ['93', undefined],
  ['Q0', undefined],
])('%j is the Wikidata item %s', (text, id) => expect(itemId(text, 'sample')).toBe(id))

it('other services have other ids', () => {
  expect(itemId('118540238', 'https://example.org')).toBe('118540238')
  expect(itemId('not an id', 'https://example.org')).toBeUndefined()
})
