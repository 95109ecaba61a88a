import { describe, expect, it } from 'vitest'
import type { Candidate } from '../../../../src/core/matching/candidate.ts'
import { judgeSubject } from '../../../../src/core/matching/judge-subject.ts'
import {
  type EarlierMatch,
  noPast,
  type PastJudgment,
  type RecordPast,
} from '../../../../src/core/matching/record-past.ts'
import { type ProjectSettings, thresholdsByKind } from '../../../../src/core/project-settings.ts'

const settings: ProjectSettings = {
  service: 'sample',
  kind: 'generic',
  languages: ['en'],
  types: [],
  limit: 10,
  thresholds: thresholdsByKind.generic,
  mapping: { name: 'name', variants: [{ column: 'also' }], properties: [] },
}
const aldi: Candidate = {
  id: 'Q2',
  name: 'Aldi',
  names: ['Aldi'],
  description: null,
  types: [],
  serviceScore: null,
  serviceMatch: false,
  features: [],
}

/** A record whose present answer is the automatic match Q2, with this past. */
function decided(
  past: Partial<RecordPast>,
  of: ProjectSettings = settings,
  candidate: Candidate = aldi,
) {
  const verdict = judgeSubject(
    {
      cells: { name: 'Aldi', old: 'Aldi Süd', also: 'Albrecht', viaf: '113230702' },
      answers: [
        {
          position: 0,
          status: 'answered',
          list: { candidates: [candidate], truncated: false },
          errorCode: null,
          errorMessage: null,
        },
        { position: 1, status: 'missing', list: null, errorCode: null, errorMessage: null },
      ],
      past: { ...noPast, ...past },
    },
    of,
  )
  if (verdict.kind !== 'decided') throw new Error(`expected a decision, got ${verdict.kind}`)
  return verdict.decision
}

const earlier = (changes: Partial<EarlierMatch> = {}): RecordPast['match'] => ({
  id: 'Q1',
  label: 'Aldi Nord',
  service: 'sample',
  name: 'Aldi',
  settings: null,
  ...changes,
})

describe('an automatic match with another item than before', () => {
  it('is for review, and its reason names both items', () => {
    expect(decided({ match: earlier() })).toMatchObject({
      outcome: 'review',
      rule: 'match-changed',
      best: { id: 'Q2' },
      reason: expect.stringMatching(
        /^Perhaps Q2 Aldi: .*matched with Q1 Aldi Nord before/,
      ) as string,
    })
  })

  it('is one without a past, and one with the same item', () => {
    expect(decided({}).outcome).toBe('matched')
    expect(decided({ match: earlier({ id: 'Q2' }) }).outcome).toBe('matched')
  })

  it('is for review also where only the settings gave the record another name', () => {
    const then = { ...settings, mapping: { ...settings.mapping, name: 'old' } }
    const past = { match: earlier({ name: 'Aldi Süd', settings: then }) }
    expect(decided(past).rule).toBe('match-changed')
  })

  it('is automatic where the file calls the record otherwise now: that is another question', () => {
    expect(decided({ match: earlier({ name: 'Lidl' }) }).outcome).toBe('matched')
  })

  it('is for review also where the record has no name and is known by its identifier', () => {
    const mapping = {
      name: 'none',
      variants: [],
      properties: [{ pid: 'P214', kind: 'id', use: 'send', columns: ['viaf'] }],
    } as const
    const of = { ...settings, mapping }
    const holder = { ...aldi, properties: { P214: ['113230702'] } }
    const past = (name: string) => ({ match: earlier({ name }) })
    expect(decided(past('113230702'), of, holder).rule).toBe('match-changed')
    // Another identifier is another question.
    expect(decided(past('49224511'), of, holder).outcome).toBe('matched')
  })

  it('is not compared with an id of another service, unless both are of Wikidata', () => {
    const elsewhere = { match: earlier({ service: 'https://authority.example/' }) }
    expect(decided(elsewhere).rule).toBe('match-changed')
    const own = { match: earlier({ service: 'https://authority.example/', id: 'gnd-118' }) }
    expect(decided(own).outcome).toBe('matched')
  })
})

describe('a candidate that a person rejected is never automatic again', () => {
  const said = (verdict: PastJudgment['verdict'], id: string | null, seen: readonly string[]) => ({
    verdict,
    id,
    seen,
  })

  it.each([
    ['none of the candidates fit', said('none_fits', null, ['Q9', 'Q2'])],
    ['it is not in Wikidata', said('not_in_wikidata', null, ['Q2'])],
    ['it is not to be matched', said('not_applicable', null, ['Q2'])],
    ['it is another item', said('match', 'Q7', [])],
  ])('when somebody said: %s', (_, judgment) => {
    expect(decided({ judgments: [judgment] })).toMatchObject({
      outcome: 'review',
      rule: 'rejected-before',
      best: { id: 'Q2' },
    })
  })

  it('but one that was not among the rejected candidates is', () => {
    expect(decided({ judgments: [said('none_fits', null, ['Q9'])] }).outcome).toBe('matched')
  })

  it('and the last word about a candidate counts', () => {
    const no = said('none_fits', null, ['Q2'])
    const yes = said('match', 'Q2', ['Q2'])
    expect(decided({ judgments: [no, yes] }).outcome).toBe('matched')
    expect(decided({ judgments: [yes, no] }).rule).toBe('rejected-before')
  })

  it('nor is what it was merged into since; a match with the old id speaks for the new one', () => {
    const merged = { ...aldi, foundAs: ['Q1'] }
    const judged = (judgment: PastJudgment) => decided({ judgments: [judgment] }, settings, merged)
    expect(judged(said('none_fits', null, ['Q1'])).rule).toBe('rejected-before')
    expect(judged(said('match', 'Q7', [])).rule).toBe('rejected-before')
    expect(judged(said('match', 'Q1', [])).outcome).toBe('matched')
  })

  it('and that weighs more than an earlier match', () => {
    const judgments = [said('none_fits', null, ['Q2'])]
    expect(decided({ judgments, match: earlier() }).rule).toBe('rejected-before')
  })
})
