import { expect, it } from 'vitest'
import { propertyAgreement } from '../../../src/kb/property-agreement.ts'

it.each([
  ['the same text', 'Paris', 'paris', 1],
  ['an entity by id', { id: 'Q142' }, { id: 'Q142', name: 'France' }, 1],
  ['an entity by another id', { id: 'Q30' }, { id: 'Q142', name: 'France' }, 0],
  ['an entity by name', 'FRANCE', { id: 'Q142', name: 'France' }, 1],
  ['a year and a day in it', '1877', '1877-07-09', 1],
  ['a day with time zone and the same day', '+1877-07-09T00:00:00Z', '1877-07-09', 1],
  ['an unknown day and a day', '1877-00-00', '1877-07-09', 1],
  ['two days of one year', '1877-01-02', '1877-07-09', 0],
  ['years that follow each other', '1878', '1877', 0.5],
  ['other years', '1880', '1877', 0],
  ['an address without scheme, www and slash', 'http://acme.com', 'https://www.acme.com/', 1],
  ['another page of a site', 'https://acme.com/de', 'https://acme.com/', 0.9],
  ['another site', 'https://acme.com', 'https://acme.org', 0],
  ['numbers two hundredths apart', '98', '100', 0.8],
  ['numbers far apart', '50', '100', 0],
  ['zero', '0', '0.0', 1],
  ['one place', '48.8566,2.3522', '48.8566, 2.3522', 1],
  ['places on two continents', '48.85,2.35', '40.71,-74.00', 0],
  ['a misspelt text', 'Mountain Veiw', 'Mountain View', 1 - 2 / 13],
  ['two texts', 'Paris', 'London', 0],
] as const)('rates %s', (_, asked, stored, expected) => {
  expect(propertyAgreement('', [asked], [stored])).toBeCloseTo(expected, 5)
})

it('falls with the distance of two places', () => {
  // 0.09 degrees of latitude are 10 km.
  expect(propertyAgreement('', ['60.00,10.00'], ['60.09,10.00'])).toBeCloseTo(0.6, 2)
  // A degree of longitude is half as long at 60 degrees north.
  expect(propertyAgreement('', ['60.00,10.00'], ['60.00,10.18'])).toBeCloseTo(0.6, 2)
})

it('takes the best pair of several values', () => {
  expect(propertyAgreement('', ['1900', 'painter'], ['sculptor', 'Painter'])).toBe(1)
})

it('rates an identifier by its spelling, never by how near the number is', () => {
  expect(propertyAgreement('P214', ['113230703'], ['113230702'])).toBe(0)
  expect(propertyAgreement('P214', ['https://viaf.org/viaf/113230702/'], ['113230702'])).toBe(1)
})
