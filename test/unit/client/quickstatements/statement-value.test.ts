import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PropertyKind } from '../../../../src/core/project-settings.ts'
import {
  type ValueForm,
  writtenValue,
} from '../../../../src/client/quickstatements/statement-value.ts'

const written = (text: string, kind: PropertyKind, form: Partial<ValueForm> = {}) => {
  const result = writtenValue(text, { pid: 'P9999', kind, ...form })
  return 'value' in result ? result.value : `fault: ${result.fault}`
}

// The patterns of the tool's own parser of version 1.
const GRAMMAR: Readonly<Record<string, RegExp>> = {
  date: /^[+-]\d+-\d\d-\d\dT\d\d:\d\d:\d\dZ\/\d+$/,
  coordinate: /^@[+-]?[0-9.]+\/[+-]?[0-9.]+$/,
  number: /^[+-]?\d+(\.\d+)?(U\d+)?$/,
  item: /^Q\d+$/,
}

describe('a date', () => {
  it.each([
    ['1877-07-09', '+1877-07-09T00:00:00Z/11'],
    ['9.7.1877', '+1877-07-09T00:00:00Z/11'],
    ['1877-07', '+1877-07-00T00:00:00Z/10'],
    ['1877', '+1877-00-00T00:00:00Z/9'],
    ['-0044-03-15', '-0044-03-15T00:00:00Z/11'],
    ['+1877-07-00T00:00:00Z', '+1877-07-00T00:00:00Z/10'],
    ['1700-02-29', '+1700-02-29T00:00:00Z/11'],
  ])('%s is written %s, with its precision', (text, value) => {
    expect(written(text, 'date')).toBe(value)
    expect(value).toMatch(GRAMMAR['date'] ?? '')
  })

  it('is read in the order of the mapping', () => {
    expect(written('7/9/1877', 'date', { dateOrder: 'mdy' })).toBe('+1877-07-09T00:00:00Z/11')
  })

  it.each([
    ['ca. 1877', 'not exact'],
    ['1877?', 'not exact'],
    ['soon', 'cannot be read'],
    ['1877-02-31', 'no such day'],
    ['1877-02-29', 'no such day'],
  ])('%s is not written, as it is %s', (text, reason) => {
    expect(written(text, 'date')).toContain(reason)
  })
})

describe('an identifier', () => {
  it.each([
    ['P214', 'https://viaf.org/viaf/113230702/', '"113230702"'],
    ['P227', '(DE-588)4079163-4', '"4079163-4"'],
    ['P213', '0000 0001 2331 523x', '"000000012331523X"'],
    ['P496', 'https://orcid.org/0000-0002-1825-0097', '"0000-0002-1825-0097"'],
    ['P496', '0000000218250097', '"0000-0002-1825-0097"'],
    ['P345', 'https://www.imdb.com/name/nm0000001/', '"nm0000001"'],
    ['P356', 'https://doi.org/10.1000/abc', '"10.1000/ABC"'],
    ['P1566', 'https://www.geonames.org/2950159/berlin.html', '"2950159"'],
    ['P6782', 'https://ror.org/02mhbdp94', '"02mhbdp94"'],
    ['P9999', 'Ab-12 c', '"Ab-12 c"'],
  ])('of %s: %s is written as Wikidata writes it: %s', (pid, text, value) => {
    expect(written(text, 'id', { pid })).toBe(value)
  })

  it('that cannot be one of its property is not written', () => {
    expect(written('not known', 'id', { pid: 'P214' })).toContain('not the form of P214 (VIAF)')
    expect(written('0000-0002', 'id', { pid: 'P496' })).toContain('not the form of P496')
  })
})

describe('a text', () => {
  it.each([
    ['say "hi"', '"say "hi""'],
    ['"quoted"', '""quoted""'],
    ['two\r\nlines\tand a tab', '"two lines and a tab"'],
    ['a\u001b[31m \u0000red\u009d', '"a [31m red"'],
    ['Q42', '"Q42"'],
    ['/* no comment */', '"/* no comment */"'],
  ])('%j is written %s', (text, value) => expect(written(text, 'text')).toBe(value))

  it('in a language is a monolingual text', () => {
    expect(written('Die Räuber', 'text', { detail: 'de' })).toBe('de:"Die Räuber"')
  })

  it('that the tool would cut is not written', () => {
    expect(written('a|b', 'text')).toContain('divides columns')
    expect(written('x'.repeat(1501), 'text')).toContain('longer than 1500')
    expect(written('😀'.repeat(1500), 'text')).toBe(`"${'😀'.repeat(1500)}"`)
  })
})

it.each([
  ['item', 'http://www.wikidata.org/entity/Q64', 'Q64'],
  ['item', 'q64', 'Q64'],
  ['number', "12'000", '12000'],
  ['number', '-1.50', '-1.50'],
  ['number', '+3', '+3'],
  ['coordinate', '52.516666667, 13.383333', '@52.516667/13.383333'],
  ['coordinate', 'Point(13.4 -0.00000001)', '@0/13.4'],
] as const)('%s: %s is written %s', (kind, text, value) => {
  expect(written(text, kind)).toBe(value)
  expect(value).toMatch(GRAMMAR[kind] ?? '')
})

it('a number has the unit that was named', () => {
  expect(written('1.85', 'number', { detail: 'Q11573' })).toBe('1.85U11573')
  expect(written('1.85', 'number', { detail: 'Q11573' })).toMatch(GRAMMAR['number'] ?? '')
})

it.each([
  ['item', 'Berlin', 'no item id'],
  ['number', '1,234', 'no plain number'],
  ['number', '12 m', 'no plain number'],
  ['coordinate', '52.5', 'no latitude and longitude'],
  ['url', 'www.example.org', 'begins with http'],
] as const)('%s: %s is not written: %s', (kind, text, reason) => {
  expect(written(text, kind)).toContain(reason)
})

it('an address keeps its characters', () => {
  expect(written('https://example.org/a|b?c="d"', 'url')).toBe('"https://example.org/a%7Cb?c="d""')
})

it('any text is written so that the tool reads it as one value, or is not written', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const value = written(text, 'text')
      const read = /^"([^\t\r\n|]*)"$/.exec(value)?.[1]
      const line = text.replace(/\s+/gu, ' ').trim()
      expect(read).toBe(text.includes('|') ? undefined : line)
    }),
  )
})
