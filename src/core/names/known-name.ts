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

export const knownName = memo((text: string): KnownName => new WorkedOut(text), REMEMBERED)

/** Worked out when first asked for: most names of candidates are only ever looked at in their forms. */
class WorkedOut implements KnownName {
  readonly forms: NameForms
  #meanings: readonly string[] | undefined
  #letters: string | undefined
  #sortedMeanings: string | undefined
  #country: string | null | undefined

  constructor(text: string) {
    this.forms = nameForms(text)
  }

  get meanings(): readonly string[] {
    return (this.#meanings ??= meaningTokens(this.forms).slice(0, MOST_WORDS))
  }

  get letters(): string {
    return (this.#letters ??= this.forms.tokens.join(''))
  }

  get sortedMeanings(): string {
    return (this.#sortedMeanings ??= this.meanings.toSorted().join(' '))
  }

  get country(): string | undefined {
    if (this.#country === undefined) this.#country = countryNamed(this.meanings) ?? null
    return this.#country ?? undefined
  }
}
