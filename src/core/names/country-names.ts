/**
 * Which country a name means as a whole, in the languages most records are written in. The names are those of the
 * Unicode CLDR that comes with the runtime (`Intl.DisplayNames`), so no list of our own can go stale.
 */
import { nameForms } from './normalize-name.ts'
import { meaningTokens } from './word-lexicon.ts'

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'sv', 'da', 'fi', 'cs', 'hu', 'tr', 'ro', 'ru', 'uk', 'el', 'ar', 'he', 'fa', 'hi', 'ja', 'ko', 'zh'] // prettier-ignore
const STYLES = ['long', 'short'] as const
// Regions that are no countries, and codes of the past or for tests.
const NO_COUNTRIES = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ', 'AN', 'CS', 'DD', 'FX', 'NT', 'SU', 'TP', 'YD', 'YU', 'ZR', 'BU', 'UK']) // prettier-ignore
/** Forms of state; a country is often named with or without them. */
const STATE_WORDS = new Set(
  (
    'republic kingdom federal democratic popular socialist islamic state principality duchy grand great ' +
    'commonwealth union territory federation confederation sultanate emirate independent plurinational bolivarian ' +
    'federative cooperative co operative arab'
  ).split(' '),
)
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')

let codeByWords: ReadonlyMap<string, string> | undefined

/**
 * ISO 3166-1 alpha-2 code of the country that the whole name means, with or without its form of state; undefined for
 * anything else, and for a name that several countries share. In: words by meaning (form E).
 */
export function countryNamed(words: readonly string[]): string | undefined {
  codeByWords ??= readCountryNames()
  const known = codeByWords.get(wordsKey(words))
  if (known !== undefined) return known
  const withoutState = words.filter((word) => !STATE_WORDS.has(word))
  if (withoutState.length === words.length || withoutState.length === 0) return undefined
  return codeByWords.get(wordsKey(withoutState))
}

function readCountryNames(): ReadonlyMap<string, string> {
  const codes = new Map<string, string>()
  const shared = new Set<string>()
  for (const language of LANGUAGES) {
    for (const style of STYLES) {
      const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none', style })
      for (const code of LETTERS.flatMap((first) => LETTERS.map((second) => first + second))) {
        const name = NO_COUNTRIES.has(code) ? undefined : names.of(code)
        if (name === undefined) continue
        const key = wordsKey(meaningTokens(nameForms(name)))
        const other = codes.get(key)
        if (other !== undefined && other !== code) shared.add(key)
        codes.set(key, code)
      }
    }
  }
  for (const key of shared) codes.delete(key)
  return codes
}

function wordsKey(words: readonly string[]): string {
  return words.toSorted().join(' ')
}
