import { nameForms } from '../../names/normalize-name.ts'
import { isCommonMeaning, meaningTokens } from '../../names/word-lexicon.ts'
import type { Candidate } from '../candidate.ts'
import { countryOfWord } from '../country-words.ts'
import { countryCodes, textsOf } from './property-levels.ts'

/** Located in, headquarters, country. */
const PLACES = ['P131', 'P159', 'P17']

/**
 * Tells whether a word (form E) says where a candidate is: names are often written with their city, state or country
 * behind them, and as often without.
 */
export function ownPlaces(candidate: Candidate): (word: string) => boolean {
  const texts = PLACES.flatMap((pid) => textsOf(candidate.properties?.[pid] ?? []))
  if (texts.length === 0) return () => false
  const words = new Set(
    texts
      .flatMap((text) => meaningTokens(nameForms(text)))
      .filter((word) => !isCommonMeaning(word)),
  )
  const codes = new Set(texts.flatMap(countryCodes))
  return (word) => words.has(word) || codes.has(countryOfWord(word) ?? '')
}
