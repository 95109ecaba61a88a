import { memo } from '../../memo.ts'
import { knownName } from '../../names/known-name.ts'
import { isCommonMeaning } from '../../names/word-lexicon.ts'
import type { Candidate } from '../candidate.ts'
import { countryOfWord } from '../country-words.ts'
import { countryCodes, textsOf } from './property-levels.ts'

/** Located in, headquarters, country. */
const PLACES = ['P131', 'P159', 'P17']
const REMEMBERED = 10_000

interface Place {
  /** By meaning, without those that many names share. */
  readonly words: readonly string[]
  readonly countries: readonly string[]
}

/**
 * Tells whether a word (form E) says where a candidate is: names are often written with their city, state or country
 * behind them, and as often without.
 */
export function ownPlaces(candidate: Candidate): (word: string) => boolean {
  const held = PLACES.flatMap((pid) => candidate.properties?.[pid] ?? [])
  let places: readonly Place[] | undefined
  return (word) => {
    places ??= textsOf(held).map(placeOf)
    if (places.some(({ words }) => words.includes(word))) return true
    const country = countryOfWord(word)
    return country !== undefined && places.some(({ countries }) => countries.includes(country))
  }
}

const placeOf = memo(
  (text: string): Place => ({
    words: knownName(text).meanings.filter((word) => !isCommonMeaning(word)),
    countries: countryCodes(text),
  }),
  REMEMBERED,
)
