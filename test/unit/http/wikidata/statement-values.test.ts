import { expect, it } from 'vitest'
import { statementValues } from '../../../../src/http/wikidata/statement-values.ts'
import { statement } from '../../../support/fake-wikidata.ts'

const values = (...statements: readonly unknown[]) =>
  statementValues({ P1: statements }, ['P1'])['P1'] ?? []
const time = (text: string, precision: number) => statement('time', { time: text, precision })

it('case 29: no value, an unknown value and deprecated values are unknown; the text "novalue" is a value', () => {
  expect(values({ rank: 'normal', mainsnak: { snaktype: 'novalue' } })).toEqual([])
  expect(values({ rank: 'normal', mainsnak: { snaktype: 'somevalue' } })).toEqual([])
  expect(values(statement('string', 'old', 'deprecated'))).toEqual([])
  expect(values(statement('string', 'novalue'))).toEqual(['novalue'])
})

it('the preferred values count where there are some, else the normal ones', () => {
  const normal = statement('string', 'a')
  expect(values(normal, statement('string', 'b', 'preferred'))).toEqual(['b'])
  expect(values(normal, statement('string', 'b'), statement('string', 'a'))).toEqual(['a', 'b'])
})

it.each([
  ['+1943-06-17T00:00:00Z', 11, '1943-06-17'],
  ['+1943-06-17T00:00:00Z', 9, '1943'],
  ['+1943-06-00T00:00:00Z', 10, '1943-06'],
  ['+1943-00-00T00:00:00Z', 9, '1943'],
  ['+1943-00-00T00:00:00Z', 11, '1943'],
  ['-0427-00-00T00:00:00Z', 9, '-0427'],
  ['+00000001943-06-17T00:00:00Z', 11, '1943-06-17'],
])('a date %s of precision %i is %s', (text, precision, shown) => {
  expect(values(time(text, precision))).toEqual([shown])
})

it('a decade or a century is no date to compare', () => {
  expect(values(time('+1940-00-00T00:00:00Z', 8), time('+1900-00-00T00:00:00Z', 7))).toEqual([])
})

it.each([
  ['Q1985786', '+1642-12-25T00:00:00Z', 11, ['1642-12-25', '1643-01-04']],
  ['Q1985786', '+0814-01-28T00:00:00Z', 11, ['0814-01-28', '0814-02-01']],
  ['Q1985786', '+1642-12-00T00:00:00Z', 10, ['1642-12']],
  ['Q1985786', '-0043-03-15T00:00:00Z', 11, ['-0043-03-15']],
  ['Q1985727', '+1642-12-25T00:00:00Z', 11, ['1642-12-25']],
])(
  'to be compared, a date of calendar %s, %s, of precision %i is %j',
  (model, text, precision, all) => {
    const calendarmodel = `http://www.wikidata.org/entity/${model}`
    const claims = { P1: [statement('time', { time: text, precision, calendarmodel })] }
    expect(statementValues(claims, ['P1'], 'both')).toEqual({ P1: all })
    expect(statementValues(claims, ['P1'])).toEqual({ P1: all.slice(0, 1) })
  },
)

it('coordinates are those of the Earth', () => {
  const at = (globe: string) =>
    statement('globecoordinate', { latitude: 51.5, longitude: -1.25, globe })
  expect(values(at('http://www.wikidata.org/entity/Q2'))).toEqual(['51.5,-1.25'])
  expect(values(at('http://www.wikidata.org/entity/Q405'))).toEqual([])
})

it('items, amounts and texts in a language', () => {
  expect(values(statement('wikibase-entityid', { 'entity-type': 'item', id: 'Q5' }))).toEqual([
    { id: 'Q5' },
  ])
  expect(
    values(statement('wikibase-entityid', { 'entity-type': 'item', 'numeric-id': 5 })),
  ).toEqual([{ id: 'Q5' }])
  expect(values(statement('quantity', { amount: '+12.5', unit: '1' }))).toEqual(['12.5'])
  expect(values(statement('monolingualtext', { text: 'Oui', language: 'fr' }))).toEqual(['Oui'])
})

it('whatever the claims are, reading them ends', () => {
  for (const claims of [undefined, null, [], 'x', { P1: {} }, { P1: [null, 3, {}] }]) {
    expect(statementValues(claims, ['P1'])).toEqual({})
  }
})
