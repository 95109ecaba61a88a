import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isJaroWinklerAtLeast,
  jaroWinkler,
  levenshteinRatio,
  tokenSetRatio,
  tokenSortRatio,
} from '../../../src/core/names/similarity.ts'

const words = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '')

const measures: readonly [string, (left: string, right: string) => number][] = [
  ['levenshteinRatio', levenshteinRatio],
  ['tokenSortRatio', (left, right) => tokenSortRatio(words(left), words(right))],
  ['tokenSetRatio', (left, right) => tokenSetRatio(words(left), words(right))],
  ['jaroWinkler', jaroWinkler],
]
// Few letters, so that the texts have something in common.
const someText = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', 'é', '😀'), maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
)

describe.each(measures)('%s', (_, measure) => {
  it('is between 0 and 1 and the same both ways', () => {
    fc.assert(
      fc.property(someText, someText, (left, right) => {
        const likeness = measure(left, right)
        expect(likeness).toBeGreaterThanOrEqual(0)
        expect(likeness).toBeLessThanOrEqual(1)
        expect(measure(right, left)).toBe(likeness)
      }),
      { numRuns: 500 },
    )
  })

  it('is 1 for equal texts', () => {
    const notBlank = someText.filter((text) => words(text).length > 0)
    fc.assert(
      fc.property(notBlank, (text) => {
        expect(measure(text, text)).toBe(1)
      }),
    )
  })

  it('is 0 when a side is blank', () => {
    fc.assert(
      fc.property(someText, (text) => {
        expect([measure(text, ''), measure('', text)]).toEqual([0, 0])
      }),
    )
  })
})

describe('levenshteinRatio', () => {
  it('is 1 for equal texts only', () => {
    fc.assert(
      fc.property(someText, someText, (left, right) => {
        expect(levenshteinRatio(left, right) === 1).toBe(left === right && left !== '')
      }),
    )
  })

  it.each([
    ['kitten', 'sitting', 1 - 3 / 7],
    ['carrefour', 'carefour', 1 - 1 / 9],
    ['abc', 'xyz', 0],
  ])('of %s and %s', (left, right, expected) => {
    expect(levenshteinRatio(left, right)).toBeCloseTo(expected, 10)
  })

  it('counts an emoji as one character', () => {
    expect(levenshteinRatio('😀😀', '😀😁')).toBe(0.5)
    expect(levenshteinRatio('𝒜', '\ue000')).toBe(0)
  })
})

describe('tokenSortRatio', () => {
  it('forgives the order of words but not missing ones', () => {
    expect(tokenSortRatio(['monet', 'claude'], ['claude', 'monet'])).toBe(1)
    expect(tokenSortRatio(['bank'], ['bank', 'of', 'georgia'])).toBeCloseTo(1 - 11 / 15, 10)
  })
})

describe('tokenSetRatio', () => {
  it('forgives words that only one side has, and repeats', () => {
    expect(tokenSetRatio(['bank'], ['bank', 'of', 'georgia'])).toBe(1)
    expect(tokenSetRatio(['new', 'york', 'new', 'york'], ['york', 'new'])).toBe(1)
  })

  it('is at least the token sort ratio of the distinct words', () => {
    expect(tokenSetRatio(['claude', 'monet'], ['claude', 'manet'])).toBeCloseTo(11 / 12, 10)
    expect(tokenSetRatio(['abc'], ['xyz'])).toBe(0)
  })
})

describe('jaroWinkler', () => {
  // The first three are the examples of Winkler's paper.
  it.each([
    ['MARTHA', 'MARHTA', 0.961_111],
    ['DWAYNE', 'DUANE', 0.84],
    ['DIXON', 'DICKSONX', 0.813_333],
    ['monet', 'manet', 0.88],
    ['kitten', 'sitting', 0.746_032],
    ['abc', 'xyz', 0],
  ])('of %s and %s', (left, right, expected) => {
    expect(jaroWinkler(left, right)).toBeCloseTo(expected, 5)
  })

  it('is at least a number where it says so, for any two texts', () => {
    fc.assert(
      fc.property(
        someText,
        someText,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (left, right, least) => {
          const isSo = jaroWinkler(left, right) >= least
          expect(isJaroWinklerAtLeast(left, right, least)).toBe(isSo)
        },
      ),
      // An empty text is as alike as nothing can be, which is at least 0.
      { examples: [['', '', 0]] },
    )
  })
})
