import { describe, expect, it } from 'vitest'
import { noPast } from '../../../../src/core/matching/record-past.ts'
import type { Candidate, CandidateList } from '../../../../src/core/matching/candidate.ts'
import { decide } from '../../../../src/core/matching/decide.ts'
import { judgeSubject } from '../../../../src/core/matching/judge-subject.ts'
import { thresholdsByKind, type ProjectSettings } from '../../../../src/core/project-settings.ts'

const settings: ProjectSettings = {
  service: 'http://127.0.0.1:1',
  kind: 'generic',
  languages: ['en'],
  types: ['Q5'],
  limit: 10,
  thresholds: thresholdsByKind.generic,
  mapping: {
    name: 'name',
    variants: [],
    properties: [{ pid: 'P569', columns: ['born'], kind: 'date', use: 'compare' }],
    earlier: { column: 'qid', use: 'verify' },
  },
}

function candidate(id: string, name: string, rest: Partial<Candidate> = {}): Candidate {
  const empty = { description: null, types: [], serviceScore: 100, features: [] }
  return { id, name, names: [name], serviceMatch: true, ...empty, ...rest }
}

const list = (...candidates: readonly Candidate[]): CandidateList => ({
  candidates,
  truncated: false,
})

function judged(
  cells: Record<string, string>,
  ...lists: readonly (CandidateList | 'missing' | 'failed')[]
) {
  const answers = lists.map((answer, position) => ({
    position,
    status: typeof answer === 'string' ? answer : ('answered' as const),
    list: typeof answer === 'string' ? null : answer,
    errorCode: answer === 'failed' ? 'gateway_timeout' : null,
    errorMessage: null,
  }))
  return judgeSubject({ cells, answers, past: noPast }, settings)
}

const adams = candidate('Q42', 'Douglas Adams', { properties: { P569: ['1952-03-11'] } })

describe('case 7: an item id as the name', () => {
  it('is matched when the service has the item, whatever its type', () => {
    const verdict = judged({ name: ' q42 ' }, list(adams))
    expect(verdict).toMatchObject({
      decision: { outcome: 'matched', rule: 'given-id', best: { id: 'Q42', veto: null } },
    })
  })

  it('is unknown, and never matched by a name, when the service has no such item', () => {
    const found = list(candidate('Q5', 'Q999999999999', { features: [{ id: 'name', value: 100 }] }))
    const verdict = judged({ name: 'Q999999999999' }, found)
    expect(verdict).toMatchObject({
      decision: { outcome: 'no_candidate', rule: 'unknown-id', best: null },
    })
    expect(judged({ name: 'Q999999999999' }, list())).toMatchObject({
      decision: { rule: 'unknown-id', reason: expect.stringContaining('Q999999999999') },
    })
  })

  it('case 27: of a merged item leads to the one in its place, and says so', () => {
    const verdict = judged({ name: 'Q4200' }, list(adams))
    expect(verdict).toMatchObject({
      decision: {
        outcome: 'matched',
        rule: 'given-id-merged',
        best: { id: 'Q42' },
        reason: expect.stringContaining('Q4200 is given; the service has Q42 in its place'),
      },
    })
  })

  it('case 27: of a merged item is known by the id under which it was found', () => {
    const found = { ...adams, serviceMatch: false, foundAs: ['Q4200'] }
    expect(judged({ name: 'Q4200' }, list(candidate('Q1', 'universe'), found))).toMatchObject({
      decision: { rule: 'given-id-merged', best: { id: 'Q42' } },
    })
  })

  it.each([
    ['is not sure', list({ ...adams, serviceMatch: false })],
    ['offers several', list(adams, candidate('Q43', 'Turkey', { serviceMatch: false }))],
    ['has something called so', list(candidate('Q7', 'Q4200'))],
    ['has ids of another kind', list(candidate('lc-7', 'Adams'))],
  ])('is unknown where the service %s', (_, answer) => {
    expect(judged({ name: 'Q4200' }, answer)).toMatchObject({ decision: { rule: 'unknown-id' } })
  })

  it('is for a person when the record contradicts the item', () => {
    const verdict = judged({ name: 'Q42', born: '1901-03-11' }, list(adams))
    expect(verdict).toMatchObject({
      decision: { outcome: 'review', rule: 'given-id-contradicted', best: { id: 'Q42' } },
    })
  })

  it('that could not be asked is failed, never "no match"', () => {
    expect(judged({ name: 'Q42' }, 'failed')).toMatchObject({ kind: 'failed' })
    expect(judged({ name: 'Q42' }, 'missing')).toEqual({ kind: 'waits' })
  })
})

describe('an earlier match that is to be verified', () => {
  it('is matched without asking for the name', () => {
    const cells = { name: 'Adams, Douglas', qid: 'https://www.wikidata.org/wiki/Q42' }
    expect(judged(cells, list(adams), 'missing')).toMatchObject({
      kind: 'decided',
      decision: { outcome: 'matched', rule: 'given-id', evidence: { asked: ['Q42', cells.name] } },
    })
  })

  it('of another name is for a person', () => {
    const namedByService = { ...adams, features: [{ id: 'all_labels', value: 100 }] }
    expect(judged({ name: 'Heidi Klum', qid: 'Q42' }, list(namedByService), list())).toMatchObject({
      decision: { outcome: 'review', rule: 'given-id-contradicted', best: { id: 'Q42' } },
    })
  })

  it('that is unknown leaves what the name finds to a person', () => {
    const cells = { name: 'Douglas Adams', qid: 'Q999999' }
    expect(judged(cells, list(), 'missing')).toEqual({ kind: 'waits' })
    expect(judged(cells, list(), list(adams))).toMatchObject({
      decision: {
        outcome: 'review',
        rule: 'unknown-id',
        best: { id: 'Q42' },
        reason: expect.stringContaining('perhaps Q42 Douglas Adams'),
      },
    })
  })

  it('whose id could not be asked is failed, however well the name fits', () => {
    const cells = { name: 'Douglas Adams', qid: 'Q999999' }
    expect(judged(cells, 'failed', list(adams))).toMatchObject({
      kind: 'failed',
      code: 'gateway_timeout',
    })
  })
})

it('a record without a name says nothing against the name of an item', () => {
  const record = { names: [], types: [], properties: [], givenItem: 'Q42' }
  const { best } = decide(record, [list(adams)], settings)
  expect(best?.features.find(({ feature }) => feature === 'name')?.verdict).toBe('unknown')
})
