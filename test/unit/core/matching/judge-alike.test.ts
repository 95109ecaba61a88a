import { describe, expect, it } from 'vitest'
import { type AskedRecord, groupAlike } from '../../../../src/core/matching/judge-alike.ts'
import { noPast } from '../../../../src/core/matching/record-past.ts'
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

function record(changes: Partial<AskedRecord> = {}): AskedRecord {
  return {
    cells: { name: 'Aldi', also: '' },
    answers: [],
    lookupIds: [7],
    past: noPast,
    ...changes,
  }
}

function sizes(...records: readonly AskedRecord[]): readonly number[] {
  return groupAlike(records, settings).map(({ all }) => all.length)
}

describe('groupAlike', () => {
  it('puts records together that differ in columns which nobody reads', () => {
    const other = record({ cells: { name: 'Aldi', also: '', city: 'Essen' } })
    expect(sizes(record(), other)).toEqual([2])
  })
  it('keeps records apart that differ in a cell that is read, be it blank or not there', () => {
    const others = [
      { name: 'aldi', also: '' },
      { name: 'Aldi', also: 'Albrecht' },
      { name: 'Aldi' },
    ]
    expect(sizes(record(), ...others.map((cells) => record({ cells })))).toEqual([1, 1, 1, 1])
  })
  it('keeps records apart whose answers are those of other lookups', () => {
    expect(sizes(record(), record({ lookupIds: [8] }), record({ lookupIds: [7, 8] }))).toEqual([
      1, 1, 1,
    ])
  })
  it('keeps records apart that were judged before and that were not', () => {
    const judgment = { verdict: 'none_fits', id: null, seen: ['Q2'] } as const
    const judged = record({ past: { ...noPast, judgments: [judgment] } })
    expect(sizes(record(), judged, judged)).toEqual([1, 2])
  })
  it('looks at every cell of a record that was matched before, perhaps by another column', () => {
    const match = { id: 'Q2', label: 'Aldi', service: 'sample', name: 'Aldi', settings: null }
    const matched = (city: string) =>
      record({ cells: { name: 'Aldi', also: '', city }, past: { ...noPast, match } })
    expect(sizes(matched('Essen'), matched('Essen'), matched('Ulm'))).toEqual([2, 1])
  })
  it('keeps the order of the first ones', () => {
    const names = ['b', 'a', 'b', 'c']
    const records = names.map((name) => record({ cells: { name } }))
    expect(groupAlike(records, settings).map(({ first }) => first.cells['name'])).toEqual([
      'b',
      'a',
      'c',
    ])
  })
})
