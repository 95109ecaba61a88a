import { expect, it } from 'vitest'
import type { Candidate } from '../../../../src/core/matching/candidate.ts'
import { decide } from '../../../../src/core/matching/decide.ts'
import type { MappedRecord } from '../../../../src/core/matching/mapped-record.ts'
import { thresholdsByKind } from '../../../../src/core/project-settings.ts'

function candidate(id: string, rest: Partial<Candidate> = {}): Candidate {
  const empty = { description: null, types: [], serviceScore: 90, features: [] }
  return { id, name: `Item ${id}`, names: [`Item ${id}`], serviceMatch: false, ...empty, ...rest }
}

const holding = (id: string, viaf: string, rest: Partial<Candidate> = {}) =>
  candidate(id, { properties: { P214: [viaf], P569: ['1952'] }, ...rest })

const record: MappedRecord = {
  names: [],
  types: [],
  properties: [
    { pid: 'P214', kind: 'id', use: 'send', values: ['https://viaf.org/viaf/113230702'] },
    { pid: 'P569', kind: 'date', use: 'compare', values: ['1952'] },
  ],
}
const decided = (candidates: readonly Candidate[], of: MappedRecord = record) =>
  decide(of, [{ candidates, truncated: false }], {
    kind: 'person',
    thresholds: thresholdsByKind.person,
  })

it('is matched with the only candidate that has the identifier', () => {
  const others = [holding('Q1', '113230703', { serviceMatch: true }), candidate('Q2')]
  expect(decided([...others, holding('Q42', '113230702')])).toMatchObject({
    outcome: 'matched',
    rule: 'same-identifier',
    best: { id: 'Q42' },
    evidence: { asked: ['113230702'] },
  })
})

it('is for a person when two have it, or the one contradicts the record', () => {
  const two = [holding('Q42', '113230702'), holding('Q43', '113230702')]
  expect(decided(two)).toMatchObject({ outcome: 'review', rule: 'identifier-in-doubt' })
  const other = { P214: ['113230702'], P569: ['1701'] }
  expect(decided([candidate('Q42', { properties: other })])).toMatchObject({
    outcome: 'review',
    reason: expect.stringContaining('Perhaps Q42 Item Q42'),
  })
})

it('is for a person when the service is sure and does not show why', () => {
  const answer = [candidate('Q1'), candidate('Q42', { serviceMatch: true })]
  expect(decided(answer)).toMatchObject({
    outcome: 'review',
    rule: 'identifier-not-shown',
    best: { id: 'Q42' },
  })
})

it('has no candidate when nothing has it', () => {
  const answer = [holding('Q1', '113230703', { serviceMatch: true }), candidate('Q2')]
  expect(decided(answer)).toMatchObject({ outcome: 'no_candidate', rule: 'nothing-found' })
  expect(decided([])).toMatchObject({ outcome: 'no_candidate', best: null })
})

it('case 1: is skipped without an identifier that may be sent', () => {
  const kept = record.properties.map((property) => ({ ...property, use: 'compare' as const }))
  expect(decided([], { ...record, properties: kept })).toMatchObject({
    outcome: 'skipped',
    rule: 'empty-name',
  })
})

it('case 5: with a name too long to be asked for, says so when nothing has it', () => {
  const long = { ...record, names: ['x'.repeat(251)] }
  expect(decided([candidate('Q2')], long)).toMatchObject({
    outcome: 'skipped',
    rule: 'name-too-long',
  })
  expect(decided([holding('Q42', '113230702')], long)).toMatchObject({
    outcome: 'matched',
    rule: 'same-identifier',
  })
})

it('is skipped, not without a candidate, when its identifiers are none that a service can be asked for', () => {
  const thresholds = thresholdsByKind.person
  expect(decide(record, [], { kind: 'person', thresholds })).toMatchObject({
    outcome: 'skipped',
    rule: 'empty-name',
  })
})
