/** What comparing a text needs, worked out once: the same names come again and again within a task. */
import { memo } from '../memo.ts'
import { countryNamed } from './country-names.ts'
import { type NameForms, nameForms } from './normalize-name.ts'
import { meaningTokens } from './word-lexicon.ts'

/** All are read only: they are shared by all who ask for the same text. */
export interface KnownName {
  readonly forms: NameForms
  /** Words by meaning (form E). */
  readonly meanings: readonly string[]
  /** The words of form C without spaces. */
  readonly letters: string
  /** Words by meaning in alphabetical order. */
  readonly sortedMeanings: string
  /** ISO 3166-1 alpha-2 code of the country that the whole text means; undefined for any other. */
  readonly country: string | undefined
}

/** About a kilobyte each. */
const REMEMBERED = 20_000
/** Of a longer text the rest is not compared word by word: the work grows with the square. */
const MOST_WORDS = 40

export const knownName = memo((text: string): KnownName => {
  const forms = nameForms(text)
  const meanings = meaningTokens(forms).slice(0, MOST_WORDS)
  return {
    forms,
    meanings,
    letters: forms.tokens.join(''),
    sortedMeanings: meanings.toSorted().join(' '),
    country: countryNamed(meanings),
  }
}, REMEMBERED)
