import { describe, expect, it } from 'vitest'
import type { Candidate, HeldValue } from '../../../../src/core/matching/candidate.ts'
import { distanceKm, readCoordinates } from '../../../../src/core/matching/features/coordinates.ts'
import { compareDates } from '../../../../src/core/matching/features/date-feature.ts'
import { type DateOrder, readDate } from '../../../../src/core/matching/features/date-value.ts'
import { propertyFeature } from '../../../../src/core/matching/features/property-feature.ts'
import { readWebAddress } from '../../../../src/core/matching/features/web-address.ts'
import type { PropertyKind } from '../../../../src/core/project-settings.ts'

const dates = (left: string, right: string): string => {
  const [one, other] = [readDate(left), readDate(right)]
  if (one === null || other === null) throw new Error('not a date')
  return compareDates(one, other)
}

function compare(pid: string, kind: PropertyKind, ours: string, held: readonly HeldValue[] | null) {
  const candidate: Candidate = {
    id: 'Q1',
    name: 'x',
    names: ['x'],
    description: null,
    types: [],
    serviceScore: null,
    serviceMatch: false,
    features: [],
    ...(held === null ? {} : { properties: { [pid]: held } }),
  }
  return propertyFeature({ pid, kind, use: 'compare', values: [ours] }, candidate, () => []).verdict
}

describe('dates', () => {
  it.each([
    ['1877-07-09', '1877-07-09', 'day'],
    ['1877', '1877', 'year'],
    ['1877', '1877-07-09', 'same-year'],
    ['1877-07-09', '1877-01-02', 'other-day'],
    ['1877-07', '1877-08', 'other-day'],
    ['1877', '1878', 'near'],
    ['1877', '1881', 'close'],
    ['1877', '1890', 'far'],
    ['1430', '1445', 'close'],
    ['-0044', '-0044', 'year'],
  ])('case 35: %s and %s: %s', (left, right, level) => {
    expect(dates(left, right)).toBe(level)
    expect(dates(right, left)).toBe(level)
  })

  it.each<[string, DateOrder | undefined, object | null]>([
    ['+1877-00-00T00:00:00Z', undefined, { year: 1877, month: undefined, day: undefined }],
    ['09.07.1877', undefined, { year: 1877, month: 7, day: 9 }],
    ['07/09/1877', 'mdy', { year: 1877, month: 7, day: 9 }],
    ['ca. 1877', undefined, { year: 1877, month: undefined, day: undefined }],
    ['20th century', undefined, null],
    ['', undefined, null],
  ])('%j in order %s is %j', (text, order, date) => {
    expect(readDate(text, order)).toEqual(date)
  })
})

describe('places', () => {
  it('are as far apart as on a globe', () => {
    const [paris, london] = [
      readCoordinates('48.8566, 2.3522'),
      readCoordinates('Point(-0.1276 51.5072)'),
    ]
    if (paris === null || london === null) throw new Error('not read')
    expect(distanceKm(paris, london)).toBeCloseTo(343.6, 0)
  })

  it.each(['91,0', 'north of here', ''])('%j is no place', (text) => {
    expect(readCoordinates(text)).toBeNull()
  })
})

describe('addresses', () => {
  it('a site is the same with and without scheme, www and last slash', () => {
    expect(readWebAddress('http://www.Aldi.com/de/')).toEqual(readWebAddress('aldi.com/de'))
    expect(readWebAddress('no address')).toBeNull()
  })
})

describe('a property', () => {
  it.each<[string, PropertyKind, string, readonly HeldValue[], string]>([
    ['P27', 'item', 'American', [{ id: 'Q30', name: 'United States' }], 'agree'],
    ['P17', 'item', 'Deutschland', ['Germany'], 'agree'],
    ['P17', 'item', 'Turkiye', [{ id: 'Q43', name: 'Turkey' }], 'agree'],
    ['P17', 'item', 'GH', ['Japan'], 'disagree'],
    ['P214', 'id', 'https://viaf.org/viaf/1', ['1', '2'], 'agree'],
    ['P214', 'id', '3', ['1', '2'], 'disagree'],
    ['P214', 'id', 'see VIAF', ['1', '2'], 'unknown'],
    ['P213', 'id', 'https://isni.org/isni/0000000123315230', ['0000 0001 2331 5230'], 'agree'],
    ['P356', 'id', 'https://doi.org/10.1000/182', ['10.1000/182'], 'agree'],
    ['P1566', 'id', 'https://www.geonames.org/1/berlin.html', ['2'], 'disagree'],
    ['P856', 'url', 'https://aldi.com/x', ['http://www.aldi.com/y'], 'partly'],
    ['P1082', 'number', '1000', ['1005'], 'agree'],
    ['P1082', 'number', '1000', ['1080'], 'partly'],
    ['P625', 'coordinate', '48.85,2.35', ['48.86,2.35'], 'agree'],
    ['P131', 'item', 'Lombardia', ['Lombardia'], 'agree'],
    ['P106', 'text', 'Q1028181', [{ id: 'Q1028181', name: 'painter' }], 'agree'],
  ])('%s (%s): %s against %j: %s', (pid, kind, ours, held, verdict) => {
    expect(compare(pid, kind, ours, held)).toBe(verdict)
  })

  it('case 34: is unknown where the candidate holds nothing or nothing readable', () => {
    expect(compare('P569', 'date', '1877', null)).toBe('unknown')
    expect(compare('P569', 'date', '1877', ['unknown value'])).toBe('unknown')
    expect(compare('P569', 'date', 'long ago', ['1877'])).toBe('unknown')
  })
})
