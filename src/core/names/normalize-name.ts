/**
 * Names in comparable forms, from strict to loose (research reconciliation §4.4):
 *   A  one spelling of white space, case, quotes, dashes and "and"
 *   B  A without marks on Latin, Greek and Cyrillic letters: `Łódź` and `Lodz` agree
 *   C  B as words, without punctuation: `Coca-Cola` and `coca cola` agree
 *   D  C without the legal form, for organisations only: `Acme GmbH` and `Acme` agree
 */
import { foldLetters } from './fold-letters.ts'
import { withoutLegalForm } from './legal-form.ts'

export interface NameForms {
  readonly a: string
  readonly b: string
  readonly c: string
  readonly d: string
  /** The words of form C; empty only for a blank name. */
  readonly tokens: readonly string[]
  /** What form D left out, as in form C: `gmbh co kg`. Empty when nothing was. */
  readonly legalForm: string
}

/** The strictest form in which two names agree. */
export type AgreeingForm = 'a' | 'b' | 'c' | 'd'

const PLAIN = /^[\x20-\x7e]*$/
/** Latin letters in one code point each that NFKC leaves as they are. */
const PLAIN_LATIN = /^[\x20-\x7e\u00c0-\u0131\u0134-\u013e\u0141-\u0148\u014a-\u017e]*$/
const ZERO_WIDTH_SPACE = /\u200b/g
const INVISIBLE = /\p{Default_Ignorable_Code_Point}+/gu
// NFKC would spell these as the letters TM and SM.
const TRADE_MARKS = /[\u2122\u2120]/g
// Before NFKC, which turns the acute accent U+00B4 into a space and a mark; and after it, which spells out U+0149.
const SINGLE_QUOTES =
  /[`\u00b4\u2018-\u201b\u2032\u2035\u2039\u203a\u02b9\u02bb-\u02bd\u02c8\u05f3\ua78c]/g
const DOUBLE_QUOTES =
  /[\u00ab\u00bb\u201c-\u201f\u2033\u2034\u2036\u2037\u2057\u301d-\u301f\u05f4]/g
const DASHES = /[\u2010-\u2015\u2043\u2212]/g
const WHITE_SPACE = /[\s\p{Cc}]+/gu
// Between two words only: a brand called "ET" keeps its name.
const AND = /(?<=\S )(?:and|und|et|og|och)(?= \S)/g
const MAY_HOLD_AND = / (?:and|und|et|og|och) /

/** All forms of a name. Any text will do: a lone surrogate or NUL does no harm; a blank text gives blank forms. */
export function nameForms(text: string): NameForms {
  const a = formA(text)
  const b = PLAIN.test(a) ? a : foldLetters(a)
  const tokens = words(b)
  const { tokens: core, legalForm } = withoutLegalForm(tokens)
  return { a, b, c: tokens.join(' '), d: core.join(' '), tokens, legalForm }
}

/** Compares A, then B, C and D; null when no form agrees or a name is blank. */
export function agreeingForm(left: NameForms, right: NameForms): AgreeingForm | null {
  if (left.a === '' || right.a === '') return null
  if (left.a === right.a) return 'a'
  if (left.b === right.b) return 'b'
  if (left.c === right.c) return 'c'
  return left.d === right.d ? 'd' : null
}

function formA(text: string): string {
  const unified = PLAIN_LATIN.test(text) ? unifyLatin(text) : unify(text)
  const lower = unified.replace(WHITE_SPACE, ' ').trim().toLowerCase()
  return MAY_HOLD_AND.test(lower) ? lower.replace(AND, '&') : lower
}

function unify(text: string): string {
  return (
    plainQuotes(plainQuotes(readable(text)).normalize('NFKC'))
      .replace(DASHES, '-')
      // Its lower case has two code points, the second one a mark.
      .replaceAll('\u0130', 'i')
      .toLowerCase()
      .replaceAll('ß', 'ss')
      .replaceAll('ς', 'σ')
  )
}

/** The same for plain Latin letters, in a fraction of the time. */
function unifyLatin(text: string): string {
  const straight = text.replaceAll('`', "'")
  if (PLAIN.test(text)) return straight
  return straight.replaceAll('\u0130', 'i').toLowerCase().replaceAll('ß', 'ss')
}

function readable(text: string): string {
  return (
    text
      // Some signs are others by another number: the Greek U+1FEF is the backtick.
      .normalize('NFC')
      .replace(ZERO_WIDTH_SPACE, ' ')
      .replace(INVISIBLE, '')
      .replace(TRADE_MARKS, '')
  )
}

function plainQuotes(text: string): string {
  return text.replace(SINGLE_QUOTES, "'").replace(DOUBLE_QUOTES, '"')
}

const APOSTROPHE_IN_WORD = /(?<=[\p{L}\p{M}])'(?=\p{L})/gu
const INITIALS = /(?<![\p{L}\p{M}\p{N}])\p{L}(?:\.\p{L})+(?![\p{L}\p{M}\p{N}])/gu
const WORD = /[\p{L}\p{M}\p{N}]+/gu
/** The same for a plain text in lower case, in half of the time. */
const PLAIN_WORD = /[a-z0-9]+/g

/** `o'neill` is one word, `u.s.a.` too. A name of nothing but punctuation keeps it, so that `!!!` is not `???`. */
function words(text: string): readonly string[] {
  const apart = text.includes("'") ? text.replace(APOSTROPHE_IN_WORD, '') : text
  const joined = apart.includes('.')
    ? apart.replace(INITIALS, (initials) => initials.replaceAll('.', ''))
    : apart
  const found = joined.match(PLAIN.test(joined) ? PLAIN_WORD : WORD)
  if (found !== null) return found
  return text === '' ? [] : text.split(' ')
}
