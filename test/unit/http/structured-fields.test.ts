import { describe, expect, it } from 'vitest'
import { dictionaryValue, listItems } from '../../../src/http/structured-fields.ts'

/** The value and the parameters of each member, tokens as text. */
function members(field: string | readonly string[]): unknown {
  return listItems({ field }, 'field').map(([value, parameters]) => [
    typeof value === 'object' ? String(value) : value,
    Object.fromEntries(parameters),
  ])
}

describe('a list field (V18: cases of httpwg/structured-field-tests)', () => {
  it.each<[string, string | readonly string[], unknown]>([
    [
      'basic list',
      '1, 42',
      [
        [1, {}],
        [42, {}],
      ],
    ],
    ['empty list', '', []],
    [
      'no whitespace list',
      '1,42',
      [
        [1, {}],
        [42, {}],
      ],
    ],
    [
      'extra whitespace list',
      '1 , 42',
      [
        [1, {}],
        [42, {}],
      ],
    ],
    [
      'two line list',
      ['1', '42'],
      [
        [1, {}],
        [42, {}],
      ],
    ],
    ['single item parameterised list', 'text/html;q=1.0', [['text/html', { q: 1 }]]],
    ['missing parameter value', 'text/html;a;q=1.0', [['text/html', { a: true, q: 1 }]]],
    [
      'whitespace after ;',
      'a, b; q=0.5',
      [
        ['a', {}],
        ['b', { q: 0.5 }],
      ],
    ],
    ['leading zeros', '042;w=007', [[42, { w: 7 }]]],
    ['negative integer', '-42', [[-42, {}]]],
    ['string with escapes', String.raw`"b\"a\\r";q=1`, [['b"a\\r', { q: 1 }]]],
  ])('%s', (_, field, expected) => {
    expect(members(field)).toEqual(expected)
  })

  it.each([
    ['trailing comma list', '1, 42,'],
    ['empty item list', '1,,42'],
    ['whitespace before =', 'a, b;q =0.5'],
    ['whitespace after =', 'a, b;q= 0.5'],
    ['whitespace before ;', 'a, b ;q=0.5'],
    ['too long integer', '1, 1000000000000000'],
    ['sign out of place', '4-2'],
    ['double decimal', '1.5.4'],
    ['unbalanced quote', '"a;q=1'],
    ['single quotes', "'a';q=1"],
    ['non-ASCII string', '"fü"'],
  ])('says nothing when malformed: %s', (_, field) => {
    expect(members(field)).toEqual([])
  })

  it('leaves inner lists out, and is nothing when absent', () => {
    expect(members('(1 2), 3')).toEqual([[3, {}]])
    expect(listItems({}, 'field')).toEqual([])
  })
})

describe('a dictionary field', () => {
  it('gives a value by its key, the last of several', () => {
    expect(dictionaryValue({ field: 'a=1, b=2, a=3' }, 'field', 'a')).toBe(3)
    expect(dictionaryValue({ field: 'a=1, b' }, 'field', 'c')).toBeUndefined()
    expect(dictionaryValue({ field: 'a=1,' }, 'field', 'a')).toBeUndefined()
    expect(dictionaryValue({ field: 'a=(1 2)' }, 'field', 'a')).toBeUndefined()
    expect(dictionaryValue({}, 'field', 'a')).toBeUndefined()
  })
})
