import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { recordId } from '../../../src/client/import/record-id.ts'

it('one id cell is taken as it stands', () => {
  expect(recordId({ id: ' 007 ' }, ['id'])).toEqual({ id: ' 007 ' })
})

it.each(['', '  ', '\u00a0'])('%j is no id', (id) => {
  expect(recordId({ id }, ['id'])).toEqual({ fault: 'has no id: column "id" is blank' })
})

it('an id that is too long for an index is refused, an astral one counted in bytes', () => {
  expect(recordId({ id: 'x'.repeat(1000) }, ['id'])).toEqual({ id: 'x'.repeat(1000) })
  expect(recordId({ id: '𝔘'.repeat(251) }, ['id'])).toHaveProperty('fault')
})

it('several id cells never run into each other', () => {
  expect(recordId({ a: 'x|y', b: 'z\\' }, ['a', 'b'])).toEqual({ id: 'x\\|y|z\\\\' })
  const cell = fc.string({ unit: fc.constantFrom('a', '|', '\\'), minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(cell, cell, cell, cell, (a, b, c, d) => {
      const same = a === c && b === d
      const one = recordId({ a, b }, ['a', 'b'])
      const other = recordId({ a: c, b: d }, ['a', 'b'])
      expect(JSON.stringify(one) === JSON.stringify(other)).toBe(same)
    }),
  )
})
