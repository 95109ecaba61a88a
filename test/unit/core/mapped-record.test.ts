import { describe, expect, it } from 'vitest'
import {
  type Cells,
  mappedColumns,
  mapRecord,
  matchHashText,
} from '../../../src/core/matching/mapped-record.ts'
import {
  thresholdsByKind,
  type ProjectSettings,
  type RecordMapping,
} from '../../../src/core/project-settings.ts'

function settings(mapping: Partial<RecordMapping>, types: readonly string[] = []): ProjectSettings {
  return {
    service: 'sample',
    kind: 'generic',
    languages: ['en'],
    types,
    limit: 10,
    thresholds: thresholdsByKind.generic,
    mapping: { name: 'name', variants: [], properties: [], ...mapping },
  }
}

const country = { pid: 'P17', columns: ['country'], kind: 'item', use: 'compare' } as const
const names = (cells: Cells, mapping: Partial<RecordMapping> = {}) =>
  mapRecord(cells, settings(mapping)).names

describe('names', () => {
  it.each(['', '   ', '\u00a0', '\u200b \u2003', '\ufeff', '\t\n'])(
    'case 1: %j is no name',
    (name) => expect(names({ name })).toEqual([]),
  )

  it.each(['007804', '12', '5E1', '1919-01-01'])('case 4: %s is asked as it stands', (name) =>
    expect(names({ name })).toEqual([name]),
  )

  it('case 5: a name longer than any label stays whole', () => {
    const name = '𝔘'.repeat(301)
    expect(names({ name })).toEqual([name])
  })

  it('case 6: hostile characters stay', () => {
    const name = 'Friedrich ("kön\\ & + % {x} $& haswbstatement:P31=Q5'
    expect(names({ name })).toEqual([name])
  })

  it.each(['Q2 Stadium', 'Q8 Petroleum'])('case 8: %s is a name', (name) =>
    expect(names({ name })).toEqual([name]),
  )

  it('variants follow the name, split and without repeats', () => {
    const mapping = { variants: [{ column: 'also', separator: '|' }, { column: 'old' }] }
    expect(names({ name: 'A', also: ' B | |A|C', old: 'D|E' }, mapping)).toEqual([
      'A',
      'B',
      'C',
      'D|E',
    ])
  })

  it('a template is filled, and leaves nothing dangling beside a blank cell', () => {
    const mapping = { name: '{last}, {first}' }
    expect(names({ first: ' Ada ', last: 'Love\u00a0lace' }, mapping)).toEqual(['Love lace, Ada'])
    expect(names({ first: '', last: 'Plato' }, mapping)).toEqual(['Plato'])
    expect(names({ first: 'Cher', last: ' ' }, mapping)).toEqual(['Cher'])
    expect(names({ first: '', last: '' }, mapping)).toEqual([])
    expect(names({ first: '$&', last: 'x' }, mapping)).toEqual(['x, $&'])
  })

  it('a cell that the record does not have is blank, whatever it is called', () => {
    expect(names({}, { name: 'constructor', variants: [{ column: '__proto__' }] })).toEqual([])
  })
})

describe('evidence', () => {
  it('cells are split and trimmed, blank ones are left out', () => {
    const mapping = { properties: [{ ...country, split: '|' }] }
    const valuesOf = (cell: string) =>
      mapRecord({ name: 'A', country: cell }, settings(mapping)).properties.map((one) => one.values)
    expect(valuesOf('nl| be |nl')).toEqual([['nl', 'be']])
    expect(valuesOf(' ')).toEqual([])
  })

  it('two columns make one value, or none when one is blank', () => {
    const mapping = {
      properties: [
        { pid: 'P625', columns: ['lat', 'lon'], kind: 'coordinate', use: 'send' } as const,
      ],
    }
    const at = (lat: string, lon: string) =>
      mapRecord({ name: 'A', lat, lon }, settings(mapping)).properties.map((one) => one.values)
    expect(at('52.1', '4.3')).toEqual([['52.1,4.3']])
    expect(at('52.1', '')).toEqual([])
  })

  it('a type in the row wins over those of the project', () => {
    const own = settings({ typeColumn: 'type' }, ['Q5'])
    expect(mapRecord({ name: 'A', type: 'Q515' }, own).types).toEqual(['Q515'])
    expect(mapRecord({ name: 'A', type: '' }, own).types).toEqual(['Q5'])
  })

  it('every column a mapping reads is known', () => {
    const mapping = {
      name: '{first} {last}',
      variants: [{ column: 'also' }],
      properties: [country],
      typeColumn: 'type',
    }
    expect([...mappedColumns(settings(mapping))].sort()).toEqual(
      ['also', 'country', 'first', 'last', 'type'].sort(),
    )
  })
})

describe('the text that is hashed', () => {
  const mapping = {
    properties: [country, { ...country, pid: 'P1', columns: ['x'], use: 'keep' as const }],
  }
  const text = (cells: Cells, types: readonly string[] = []) =>
    matchHashText({ name: 'History museum', ...cells }, settings(mapping, types))

  it('case 9: equal names with other evidence are two questions, equal rows are one', () => {
    expect(text({ country: 'bg' })).not.toBe(text({ country: 'mk' }))
    expect(text({ country: 'bg' })).toBe(text({ country: ' bg ' }))
  })

  it('cells that are only kept, and settings that hold for all records, do not count', () => {
    expect(text({ country: 'bg', x: '1' })).toBe(text({ country: 'bg', x: '2', y: '3' }))
    expect(text({ country: 'bg' }, ['Q33506'])).toBe(text({ country: 'bg' }))
  })
})
