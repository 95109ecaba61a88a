import { expect, it } from 'vitest'
import { changedFields } from '../../../../src/core/extract/changed-fields.ts'

const between = (before: object, after: object) =>
  changedFields(JSON.stringify(before), JSON.stringify(after))

it('names the fields that changed, came and went', () => {
  expect(between({ a: 1, b: 2, c: 3 }, { d: 4, b: 2, a: null })).toEqual(['d', 'a', 'c'])
})

it('looks into fields, and takes the order of a list for a part of it, of an object not', () => {
  expect(between({ a: { x: 1, y: [1, 2] } }, { a: { y: [1, 2], x: 1 } })).toEqual([])
  expect(between({ a: { x: 1, y: [1, 2] } }, { a: { x: 1, y: [2, 1] } })).toEqual(['a'])
})

it('keeps a field called __proto__ apart', () => {
  expect(changedFields('{"__proto__":1}', '{"__proto__":2}')).toEqual(['__proto__'])
})
