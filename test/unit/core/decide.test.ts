import { describe, expect, it } from 'vitest'
import type { Candidate, CandidateList } from '../../../src/core/matching/candidate.ts'
import { decide } from '../../../src/core/matching/decide.ts'
import type { MappedProperty, MappedRecord } from '../../../src/core/matching/mapped-record.ts'
import { thresholdsByKind } from '../../../src/core/project-settings.ts'

function candidate(id: string, name: string | null, rest: Partial<Candidate> = {}): Candidate {
  return {
    id,
    name,
    names: name === null ? [] : [name],
    description: null,
    types: [],
    serviceScore: null,
    serviceMatch: false,
    features: [],
    ...rest,
  }
}

function list(candidates: readonly Candidate[], truncated = false): CandidateList {
  return { candidates, truncated }
}

function property(pid: string, value: string, kind: MappedProperty['kind']): MappedProperty {
  return { pid, kind, use: 'compare', values: [value] }
}

function record(
  names: readonly string[],
  properties: readonly MappedProperty[] = [],
): MappedRecord {
  return { names, types: [], properties }
}

const decideWith = (of: MappedRecord, ...lists: readonly CandidateList[]) =>
  decide(of, lists, { kind: 'generic', thresholds: thresholdsByKind.generic })

describe('decide', () => {
  it('matches the only candidate with an equal name', () => {
    const decision = decideWith(record(['Łódź Bank']), list([candidate('Q1', 'Lodz bank')]))
    expect(decision).toMatchObject({ outcome: 'matched', best: { id: 'Q1' } })
  })

  it('never picks one of two equal candidates', () => {
    const twins = list([candidate('Q2', 'Oxford'), candidate('Q1', 'Oxford')])
    const decision = decideWith(record(['Oxford']), twins)
    expect(decision.outcome).toBe('review')
    expect(decision.best?.id).toBe('Q1')
  })

  it('says so when only the second candidate keeps the first below the line', () => {
    const twins = list([candidate('Q2', 'Oxford'), candidate('Q1', 'Oxford')])
    const thresholds = { ...thresholdsByKind.generic, match: 60, lead: 0 }
    const decision = decide(record(['Oxford']), [twins], { kind: 'generic', thresholds })
    expect(decision.rule).toBe('lead-too-small')
    expect(decision.reason).toMatch(/scores [\d.]+, below 60; Q2 beside it scores [\d.]+\.$/)
  })

  it('lets the country decide between namesakes', () => {
    const decision = decideWith(
      record(['Star'], [property('P17', 'GH', 'item')]),
      list([
        candidate('Q1', 'Star', { description: 'Japanese supermarket chain' }),
        candidate('Q2', 'Star', { description: 'petrol company in Ghana' }),
      ]),
    )
    expect(decision).toMatchObject({ outcome: 'matched', best: { id: 'Q2' } })
  })

  it('does not match an equal name of another country and another kind', () => {
    const decision = decideWith(
      record(
        ['Spar'],
        [property('P17', 'NL', 'item'), property('category', 'shop/supermarket', 'text')],
      ),
      list([candidate('Q1', 'Spar', { description: 'Indian film of 1994' })]),
    )
    expect(decision.outcome).not.toBe('matched')
  })

  it('case 35: the same name with other years of life is never automatic', () => {
    const decision = decideWith(
      record(['John Smith'], [property('P569', '1877-07-09', 'date')]),
      list([candidate('Q1', 'John Smith', { description: 'English painter (1840–1901)' })]),
    )
    expect(decision).toMatchObject({ outcome: 'review', rule: 'veto' })
  })

  it('gives an unknown feature no weight at all', () => {
    const bare = decideWith(record(['Aldi']), list([candidate('Q1', 'Aldi')]))
    const silent = decideWith(
      record(['Aldi'], [property('P17', 'DE', 'item'), property('P571', '1946', 'date')]),
      list([candidate('Q1', 'Aldi')]),
    )
    expect(silent.best?.score).toBe(bare.best?.score)
  })

  it('case 12: keeps a candidate without a name, and never matches it by a flag alone', () => {
    const decision = decideWith(
      record(['Aldi']),
      list([candidate('Q1', null, { serviceMatch: true, serviceScore: 100 })]),
    )
    expect(decision.outcome).toBe('no_candidate')
    expect(decision.evidence.candidatesTotal).toBe(1)
  })

  it('case 13: the score of the service decides nothing', () => {
    const sure = candidate('Q1', 'Something else', { serviceScore: 378.2 })
    const right = candidate('Q2', 'Aldi', { serviceScore: 0 })
    const decision = decideWith(record(['Aldi']), list([sure, right]))
    expect(decision).toMatchObject({ outcome: 'matched', best: { id: 'Q2' } })
  })

  it('case 20: a list cut off among equal names is for a person', () => {
    const cut = list([candidate('Q1', 'Aldi')], true)
    const decision = decideWith(record(['Aldi']), cut)
    expect(decision).toMatchObject({ outcome: 'review', rule: 'list-cut-off' })
    expect(decision.evidence.truncated).toBe(true)
  })

  it('a list cut off among weaker names hides nothing better', () => {
    const cut = list([candidate('Q1', 'Aldi'), candidate('Q2', 'Alligator')], true)
    expect(decideWith(record(['Aldi']), cut).outcome).toBe('matched')
  })

  it('finds a match by a variant, and an entity found twice is one candidate', () => {
    const found = candidate('Q1', 'Sainsbury’s')
    const decision = decideWith(
      record(['J Sainsbury plc stores', "Sainsbury's"]),
      list([found]),
      list([found]),
    )
    expect(decision).toMatchObject({ outcome: 'matched', best: { id: 'Q1' } })
    expect(decision.evidence.candidatesTotal).toBe(1)
  })

  it('case 1: a record without a name is skipped and says why', () => {
    expect(decideWith(record([]))).toMatchObject({ outcome: 'skipped', rule: 'empty-name' })
  })

  it.each([
    ['251 characters', 'x'.repeat(251)],
    ['301 characters', 'x'.repeat(301)],
    ['251 astral characters', '𝔸'.repeat(251)],
  ])('case 5: a name of %s is "name too long" and not "no match"', (_, name) => {
    const decision = decideWith(record([name]))
    expect(decision).toMatchObject({ outcome: 'skipped', rule: 'name-too-long' })
    expect(decision.reason).toContain('too long')
  })

  it('a name of 250 astral characters is asked like any other', () => {
    expect(decideWith(record(['𝔸'.repeat(250)]), list([])).rule).toBe('nothing-found')
  })

  it('says no candidate only when the service knows none or only weak ones', () => {
    expect(decideWith(record(['Aldi']), list([])).rule).toBe('nothing-found')
    expect(decideWith(record(['Aldi']), list([candidate('Q1', 'Zebra')])).rule).toBe('all-too-weak')
  })

  it('does not depend on the order of the list', () => {
    const candidates = ['Aldi', 'Aldi Nord', 'Aldi Süd', 'Lidl'].map((name, index) =>
      candidate(`Q${index}`, name),
    )
    const forwards = decideWith(record(['Aldi']), list(candidates))
    const backwards = decideWith(record(['Aldi']), list([...candidates].reverse()))
    expect(backwards.evidence).toEqual(forwards.evidence)
  })
})
