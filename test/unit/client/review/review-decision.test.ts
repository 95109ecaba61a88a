import { describe, expect, it } from 'vitest'
import { WIKIDATA_FACTS } from '../../../../src/db/services.repo.ts'
import { readDecision } from '../../../../src/client/review/review-decision.ts'

const wikidata = { service: 'sample', facts: WIKIDATA_FACTS, candidateIds: ['Q1', 'Q2', 'Q3'] }
const own = {
  service: 'http://127.0.0.1:1/reconcile',
  facts: {
    viewUrl: 'https://authority.example/item/{{id}}.html',
    identifierSpace: 'https://authority.example/id/',
    schemaSpace: 'https://authority.example/schema/',
  },
  candidateIds: ['007'],
}
const decided = (verdict: string, qid: string | null) => ({ kind: 'decided', verdict, qid })

describe('a decision', () => {
  it.each([
    ['1', 'match', 'Q1'],
    [' 3 ', 'match', 'Q3'],
    ['2.0', 'match', 'Q2'],
    ['2,00', 'match', 'Q2'],
    ['Q42', 'match', 'Q42'],
    ['q42', 'match', 'Q42'],
    ['https://www.wikidata.org/wiki/Q42', 'match', 'Q42'],
    ['http://www.wikidata.org/entity/Q42', 'match', 'Q42'],
    ['none', 'none_fits', null],
    ['NONE', 'none_fits', null],
    ['Not in Wikidata', 'not_in_wikidata', null],
    ['not_in_wikidata', 'not_in_wikidata', null],
    ['not applicable', 'not_applicable', null],
    ['undo', 'undo', null],
  ])('%j means %s %s', (cell, verdict, qid) => {
    expect(readDecision(cell, wikidata)).toMatchObject(decided(verdict, qid))
  })

  it.each(['', '  ', '\u00a0'])('%j is none yet', (cell) => {
    expect(readDecision(cell, wikidata)).toEqual({ kind: 'undecided' })
  })

  it.each(['4', '0', 'yes', 'Q0', 'Q2 Stadium', 'x', 'https://example.org/Q42'])(
    '%j is refused with what is expected',
    (cell) => {
      expect(readDecision(cell, wikidata)).toMatchObject({
        kind: 'fault',
        reason: expect.stringContaining('expected 1 to 3, an item id or its address, none'),
      })
    },
  )

  it('on candidates is told from one that stands by itself', () => {
    expect(readDecision('1', wikidata)).toMatchObject({ aboutCandidates: true })
    expect(readDecision('none', wikidata)).toMatchObject({ aboutCandidates: true })
    expect(readDecision('Q1', wikidata)).toMatchObject({ aboutCandidates: false })
    expect(readDecision('not in wikidata', wikidata)).toMatchObject({ aboutCandidates: false })
  })
})

describe('a decision on items of one’s own service', () => {
  it.each([
    ['1', '007'],
    ['007', '007'],
    ['https://authority.example/item/a%2Fb.html', 'a/b'],
    ['https://authority.example/id/118540238', '118540238'],
    ['118540238', '118540238'],
  ])('%j is the item %s', (cell, qid) => {
    expect(readDecision(cell, own)).toMatchObject(decided('match', qid))
  })

  it.each(['yes', 'nnoe', '2', 'two words', 'https://elsewhere.example/7'])(
    '%j is refused: it could be anything',
    (cell) => expect(readDecision(cell, own)).toMatchObject({ kind: 'fault' }),
  )
})
