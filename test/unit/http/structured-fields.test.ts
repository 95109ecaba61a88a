import { Token } from 'structured-headers'
import { describe, expect, it } from 'vitest'
import { dictionaryValue, listItems } from '../../../src/http/structured-fields.ts'

/** The value and the parameters of each member, tokens as text. */
function members(field: string | readonly string[]): unknown {
  return listItems({ field }, 'field').map(([value, parameters]) => [
    textOf(value),
    Object.fromEntries([...parameters].map(([name, value]) => [name, textOf(value)])),
  ])
}

/** Tokens are objects of the parser's. */
function textOf(value: unknown): unknown {
  return value instanceof Token ? value.toString() : value
}

/** A member without parameters. */
function bare(value: unknown): unknown {
  return [value, {}]
}
const htmlAndPlain = [bare('text/html'), ['text/plain', { q: 0.5 }]]

/**
 * V18: all cases of `list.json` and `param-list.json` of httpwg/structured-field-tests, under their names, and some of its
 * numbers and strings. Dictionaries, dates and byte sequences of its other files are no concern of a RateLimit list.
 */
describe('a list field (V18)', () => {
  it.each<[string, string | readonly string[], unknown]>([
    ['basic list', '1, 42', [bare(1), bare(42)]],
    ['empty list', '', []],
    ['single item list', '42', [bare(42)]],
    ['no whitespace list', '1,42', [bare(1), bare(42)]],
    ['extra whitespace list', '1 , 42', [bare(1), bare(42)]],
    ['two line list', ['1', '42'], [bare(1), bare(42)]],
    [
      'basic parameterised list',
      'abc_123;a=1;b=2; cdef_456, ghi;q=9;r="+w"',
      [
        ['abc_123', { a: 1, b: 2, cdef_456: true }],
        ['ghi', { q: 9, r: '+w' }],
      ],
    ],
    ['single item parameterised list', 'text/html;q=1.0', [['text/html', { q: 1 }]]],
    ['missing parameter value', 'text/html;a;q=1.0', [['text/html', { a: true, q: 1 }]]],
    ['missing terminal parameter value', 'text/html;q=1.0;a', [['text/html', { q: 1, a: true }]]],
    ['no whitespace parameterised list', 'text/html,text/plain;q=0.5', htmlAndPlain],
    ['whitespace after ; parameterised list', 'text/html, text/plain; q=0.5', htmlAndPlain],
    [
      'extra whitespace parameterised list',
      'text/html  ,  text/plain;  q=0.5;  charset=utf-8',
      [bare('text/html'), ['text/plain', { q: 0.5, charset: 'utf-8' }]],
    ],
    ['two lines parameterised list', ['text/html', 'text/plain;q=0.5'], htmlAndPlain],
    ['leading zeros', '042;w=007', [[42, { w: 7 }]]],
    ['negative integer', '-42', [bare(-42)]],
    ['string with escapes', String.raw`"b\"a\\r";q=1`, [['b"a\\r', { q: 1 }]]],
  ])('%s', (_, field, expected) => {
    expect(members(field)).toEqual(expected)
  })

  it.each([
    ['trailing comma list', '1, 42,'],
    ['empty item list', '1,,42'],
    ['whitespace before = parameterised list', 'text/html, text/plain;q =0.5'],
    ['whitespace after = parameterised list', 'text/html, text/plain;q= 0.5'],
    ['whitespace before ; parameterised list', 'text/html, text/plain ;q=0.5'],
    ['trailing comma parameterised list', 'text/html,text/plain;q=0.5,'],
    ['empty item parameterised list', 'text/html,,text/plain;q=0.5,'],
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
