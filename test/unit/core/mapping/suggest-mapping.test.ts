import { expect, it } from 'vitest'
import { suggestMapping } from '../../../../src/core/mapping/suggest-mapping.ts'

/** Columns with their cells, as a file has them. */
const suggest = (columns: Readonly<Record<string, readonly string[]>>) => {
  const looks = Object.entries(columns).map(([column, cells]) => ({ column, cells }))
  const { kind, columns: found } = suggestMapping(looks)
  return {
    kind,
    roles: Object.fromEntries(
      found.map(({ column, role, pid, separator }) => [
        column,
        [role, pid, separator].filter((part) => part !== '').join(' '),
      ]),
    ),
  }
}

it('knows usual columns by their names, however the words are put together', () => {
  expect(
    suggest({
      id: ['1', '2'],
      name: ['Ann Ek', 'Bo Ål'],
      aliases: ['A. Ek|Anna', ''],
      birthDate: ['1901', '1902'],
      date_of_death: ['1970', ''],
      nationality: ['SE', 'SE'],
      remarks: ['x', 'y'],
    }),
  ).toEqual({
    kind: 'person',
    roles: {
      id: 'id',
      name: 'name',
      aliases: 'variant |',
      birthDate: 'property P569',
      date_of_death: 'property P570',
      nationality: 'property P27',
      remarks: 'skip',
    },
  })
})

it('puts a name together from its parts, where no column has it whole', () => {
  const parts = { 'First name': ['Ann'], Surname: ['Ek'] }
  expect(suggest(parts)).toEqual({
    kind: 'person',
    roles: { 'First name': 'name', Surname: 'name' },
  })
  expect(suggest({ ...parts, name: ['Ann Ek'] }).roles).toEqual({
    'First name': 'skip',
    Surname: 'skip',
    name: 'name',
  })
})

it('takes no id that comes twice or is blank', () => {
  expect(suggest({ id: ['1', '1'], name: ['a', 'b'] }).roles['id']).toBe('skip')
  expect(suggest({ id: ['1', ''], name: ['a', 'b'] }).roles['id']).toBe('skip')
  expect(suggest({ museum: ['m1', 'm2'], name: ['a', 'b'] }).roles['museum']).toBe('id')
})

it('sees items found earlier by the cells, not by the name of the column', () => {
  const items = ['Q42', 'https://www.wikidata.org/wiki/Q64', '']
  expect(suggest({ name: ['a', 'b', 'c'], found: items }).roles['found']).toBe('earlier')
  expect(suggest({ name: ['a', 'b', 'c'], qid: ['none', '', ''] }).roles['qid']).toBe('skip')
})

it('takes no country for the item that a record is about, and of two columns of items one', () => {
  const name = ['a', 'b', 'c']
  const country = ['Q183', 'Q183', 'Q183']
  expect(suggest({ name, country }).roles['country']).toBe('property P17')
  expect(suggest({ name, wo: country }).roles['wo']).toBe('skip')
  const found = ['Q1', 'Q2', 'Q3']
  const { roles } = suggest({ name, sitter: ['Q7', 'Q8', 'Q9'], qid: found })
  expect([roles['sitter'], roles['qid']]).toEqual(['skip', 'earlier'])
})

it('takes a pair of coordinates as one place', () => {
  const { kind, roles } = suggest({ name: ['a'], lat: ['52.1'], lon: ['4.3'] })
  expect([kind, roles['lat'], roles['lon']]).toEqual(['place', 'property P625', 'property P625'])
})

it('falls back to the first column of words, and to nothing in a file without any', () => {
  expect(suggest({ wat: ['17', '18'], wie: ['Ann', 'Bo'] }).roles).toEqual({
    wat: 'id',
    wie: 'name',
  })
  expect(suggest({ a: ['1.5', '1.5'] }).roles).toEqual({ a: 'skip' })
  expect(suggest({})).toEqual({ kind: 'generic', roles: {} })
})
