import { describe, expect, it } from 'vitest'
import { countryNamed } from '../../../../src/core/names/country-names.ts'
import { nameSegments } from '../../../../src/core/names/name-segments.ts'
import { nameForms } from '../../../../src/core/names/normalize-name.ts'
import { soundSkeleton } from '../../../../src/core/names/sound-skeleton.ts'
import { meaningTokens } from '../../../../src/core/names/word-lexicon.ts'
import { wordLikeness, wordOverlap } from '../../../../src/core/names/word-overlap.ts'

const meanings = (name: string): readonly string[] => meaningTokens(nameForms(name))

describe('words by meaning', () => {
  it.each([
    ['Univ. of Rochester', 'Universität Rochester'],
    ["l'Université de Pau", 'University of Pau'],
    ['Samoa Americana', 'American Samoa'],
    ['4th Military Med. Univ.', 'Fourth Military Medical University'],
    ['Fachhochschule Wedel', 'University of Applied Sciences Wedel'],
  ])('%s is %s', (left, right) => {
    expect(meanings(left).toSorted()).toEqual(meanings(right).toSorted())
  })

  it('keeps a name of nothing but small words', () => {
    expect(meanings('The The')).toEqual(['the', 'the'])
  })

  it('leaves other scripts as they are', () => {
    expect(meanings('東京大学')).toEqual(['東京大学'])
  })
})

describe('segments of a raw affiliation', () => {
  it('are its parts without addresses of mail and marks', () => {
    expect(nameSegments('[Dept. of Physics, University of Dundee, Dundee, UK] a@b.org')).toEqual([
      'Dept. of Physics',
      'University of Dundee',
      'Dundee',
    ])
  })

  it('do not exist for a plain name', () => {
    expect(nameSegments('University of Dundee')).toEqual([])
  })
})

describe('a country named as a whole', () => {
  it.each([
    ['Autriche', 'AT'],
    ["la République d'Autriche", 'AT'],
    ['Islandia', 'IS'],
    ['ドイツ', 'DE'],
    ['United Arab Emirates (the)', 'AE'],
  ])('%s is %s', (name, code) => {
    expect(countryNamed(meanings(name))).toBe(code)
  })

  it.each(['Austria Wien', 'Republic', 'Nowhere'])('%s is none', (name) => {
    expect(countryNamed(meanings(name))).toBeUndefined()
  })
})

describe('likeness of words', () => {
  it.each([
    ['univeristy', 'university'],
    ['bakhuysen', 'bakhuizen'],
    ['technologies', 'technologie'],
  ])('%s is a spelling of %s', (left, right) => {
    expect(wordLikeness(left, right)).toBeGreaterThan(0.76)
  })

  it.each([
    ['mangalore', 'bangalore'],
    ['northeast', 'northwest'],
    ['tecc', 'tec'],
    ['paris', 'pau'],
    ['1', '2'],
    ['東京', '京都'],
  ])('%s is another word than %s', (left, right) => {
    expect(wordLikeness(left, right)).toBe(0)
  })

  it('hears common transcriptions alike and needs something to hear', () => {
    expect(soundSkeleton('nizhniy')).toBe(soundSkeleton('nizhny'))
    expect(soundSkeleton('москва')).toBe('')
  })
})

describe('overlap of names', () => {
  it('is the same from both sides', () => {
    const [left, right] = [meanings('Lyon Business School'), meanings('School of Lyon')]
    const [there, back] = [wordOverlap(left, right), wordOverlap(right, left)]
    expect(there.left).toBeCloseTo(back.right)
    expect(there.both).toBeCloseTo(back.both)
  })

  it('sees that numbers differ', () => {
    expect(wordOverlap(['lyon', '1'], ['lyon', '3']).numbersDiffer).toBe(true)
  })
})
