import { describe, expect, it } from 'vitest'
import {
  type PersonLevel,
  personLikeness,
} from '../../../../src/core/matching/features/person-likeness.ts'
import {
  naturalForms,
  prepareName,
  recordNames,
} from '../../../../src/core/matching/features/record-names.ts'
import { titleLevel } from '../../../../src/core/matching/features/title-likeness.ts'

const title = (record: string, candidate: string, places: readonly string[] = []): string =>
  titleLevel(prepareName(record, 'main'), prepareName(candidate, 'main'), (word) =>
    places.includes(word),
  )
const person = (record: string, candidate: string) =>
  personLikeness(prepareName(record, 'main'), prepareName(candidate, 'main'))

describe('names of things', () => {
  it.each([
    ['Łódź Bank', 'lodz bank', 'equal'],
    ['TacoTime', 'Taco Time', 'letters'],
    ['Acme GmbH', 'Acme', 'legal'],
    ['Univ. of Rochester', 'University of Rochester', 'meaning'],
    ['Autriche', 'Austria', 'translation'],
    ['Lodz Univeristy', 'Lodz University', 'spelling'],
    ['Avila College', 'Avila University', 'renamed'],
    ['Avila Institute', 'Avila Academy', 'other-body'],
    ['Universidad Domingo Savio', 'Universidad Privada Domingo Savio', 'other-owner'],
    ['Shahid Beheshti University of Medical Sciences', 'Shahid Beheshti University', 'other-field'],
    ['Université Lyon 1', 'Université Lyon 3', 'different'],
    ['Derby Diocesan Academy Trust', 'DDAT', 'long-acronym'],
    ['Riverside Transit Agency', 'RTA', 'acronym'],
    ['Zebra', 'Aldi', 'different'],
  ])('%s and %s: %s', (record, candidate, level) => {
    expect(title(record, candidate)).toBe(level)
  })

  it('may add where the candidate is', () => {
    expect(title('Donghua University, Shanghai', 'Donghua University', ['shanghai'])).toBe(
      'with-place',
    )
  })

  it('share nothing of their own when they share kind and place only', () => {
    const places = ['copenhagen']
    expect(title('Copenhagen Business School', 'Copenhagen Business Academy', places)).toBe(
      'place-body',
    )
    expect(title('Georgia State University', 'University of Georgia', ['georgia'])).toBe(
      'other-field',
    )
  })

  it('case 11: two names in another script do not become equal', () => {
    expect(title('東京', '京都')).toBe('different')
    expect(title('東京', '東京')).toBe('equal')
  })
})

describe('names of people', () => {
  it.each<[string, string, PersonLevel]>([
    ['Claude Monet', 'Claude Monet', 'equal'],
    ['Monet, Claude', 'Claude Monet', 'words'],
    ['Claude Oscar Monet', 'Claude Monet', 'contained'],
    ['J. M. W. Turner', 'Joseph Mallord William Turner', 'initials'],
    ["T.H. O'Sullivan", "Timothy H. O'Sullivan", 'initials'],
    ['Leonard Bramer', 'Leonaert Bramer', 'spelling'],
    ['Dirck Bouts', 'Thierry Bouts', 'same-family'],
    ['Eugène Beaudouin', 'Eugène Spiro', 'partial'],
    ['Pisanello', 'Antonio Pisanello', 'one-name'],
    ['Paul Klee', 'Frida Kahlo', 'different'],
  ])('%s and %s: %s', (record, candidate, level) => {
    expect(person(record, candidate).level).toBe(level)
  })

  it('tells the elder from the younger, and the second from the elder', () => {
    expect(person('Jan Collaert the Elder', 'Jan Collaert II').otherGeneration).toBe(true)
    expect(person('Jan Collaert I', 'Jan Collaert the Elder').otherGeneration).toBe(false)
    expect(person('Jan Collaert', 'Jan Collaert II').otherGeneration).toBe(false)
  })
})

describe('the names of a record', () => {
  it('are compared in natural order', () => {
    expect(recordNames(['Boudin, Eugène, 1824-1898'], 'person').map(({ text }) => text)).toEqual([
      'Eugène Boudin',
    ])
    expect(naturalForms('Korea, Republic of', 'place')).toEqual(
      ['Korea, Republic of', 'Republic of Korea'].slice(1),
    )
  })

  it('lose what stands in brackets, but not a number', () => {
    expect(naturalForms('Boeing (United States)', 'organisation')).toEqual(['Boeing'])
    expect(naturalForms('Université Lumière (Lyon II)', 'organisation')).toEqual([])
  })

  it('are parts too where a raw affiliation is given', () => {
    const names = recordNames(['Dept. of Physics, University of Dundee, UK'], 'organisation')
    expect(names.map(({ role }) => role)).toEqual(['main', 'segment', 'segment'])
  })
})
