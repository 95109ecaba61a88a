/** How alike two names of things are (organisations, places, works, brands), as one of a few levels. */
import { agreeingForm } from '../../names/normalize-name.ts'
import { levenshteinRatio } from '../../names/similarity.ts'
import { isBody, isCommonMeaning, isField, isOwner } from '../../names/word-lexicon.ts'
import { type WordOverlap, wordOverlap } from '../../names/word-overlap.ts'
import type { PreparedName } from './record-names.ts'

/** From best to worst; the order is that of their weights. */
export const titleLevels = [
  'equal',
  'letters',
  'legal',
  'meaning',
  'translation',
  'spelling',
  'with-place',
  'renamed',
  'other-owner',
  'other-body',
  'without-place',
  'within-mostly',
  'contains-mostly',
  'close-telling',
  'long-acronym',
  'acronym',
  'close',
  'place-body',
  'within-telling',
  'within',
  'contains',
  'place-only',
  'other-field',
  'some',
  'different',
] as const
export type TitleLevel = (typeof titleLevels)[number]

const ALMOST_ALL = 0.97
const LIKE_WORDS = 0.76
const MOSTLY = 0.6
const CLOSE = 0.72
const SOME = 0.5
const SHORTEST_WORD = 4
const ALMOST_EQUAL_TEXT = 0.92
/** Weight of the words of a contained name from which it tells something: two rare words, or one and two common. */
const TELLING = 1.6
const TWO_WORDS = 2
const SHORTEST_ACRONYM = 3
/** Shorter ones are borne by many. */
const LONG_ACRONYM = 4
/** A college is called a university one day. */
const RENAMED = new Set(['college', 'university'])

/** @param isOwnPlace whether a word names where the candidate is: its city, its country */
export function titleLevel(
  record: PreparedName,
  candidate: PreparedName,
  isOwnPlace: (word: string) => boolean,
): TitleLevel {
  const [known, other] = [record.known, candidate.known]
  const form = agreeingForm(known.forms, other.forms)
  if (form === 'd') return 'legal'
  if (form !== null) return 'equal'
  if (known.letters === other.letters) return 'letters'
  if (known.sortedMeanings === other.sortedMeanings) return 'meaning'
  if (known.country !== undefined && known.country === other.country) return 'translation'
  const overlap = wordOverlap(known.meanings, other.meanings)
  if (overlap.numbersDiffer) return overlap.both >= MOSTLY ? 'other-field' : 'different'
  const over = [...overlap.leftOver, ...overlap.rightOver]
  if (over.length === 0 && overlap.leastLikeness >= LIKE_WORDS) return 'spelling'
  const further = over.filter((word) => !isOwnPlace(word))
  const isLike = overlap.leastLikeness >= LIKE_WORDS
  if (further.length === 0 && overlap.rightOver.length === 0 && isLike && overlap.weight >= 1) {
    return 'with-place'
  }
  // In an address both may well stand: `Boston College` is not `Boston University`.
  const isWhole = record.role !== 'segment'
  if (isLike && isWhole && further.length > 0 && further.every((word) => RENAMED.has(word))) {
    return 'renamed'
  }
  const level = partialLevel(record, candidate, overlap)
  if (further.some(isField)) return WORSE_IF_UNLIKE.has(level) ? 'other-field' : level
  // Kind, field and place alone are shared by many: `Copenhagen Business School` and `Copenhagen Business Academy`.
  const isOtherBody = further.every(isBodyOrOwner)
  const telling = overlap.common.filter((word) => !isCommonMeaning(word) && !isOwnPlace(word))
  if (telling.length === 0) {
    if (isOtherBody && isLike) return 'place-body'
    return WORSE_IF_UNLIKE.has(level) ? 'place-only' : level
  }
  if (!isLike) return level
  if (further.length === 0) return 'without-place'
  if (further.every(isOwner)) return 'other-owner'
  if (isOtherBody) return 'other-body'
  return level === 'close' && telling.length >= TWO_WORDS ? 'close-telling' : level
}

// What another field, or no word of its own, is worse than.
const WORSE_IF_UNLIKE = new Set<TitleLevel>([
  'spelling',
  'within-mostly',
  'contains-mostly',
  'close',
  'within-telling',
  'within',
  'contains',
])

function partialLevel(
  record: PreparedName,
  candidate: PreparedName,
  overlap: WordOverlap,
): TitleLevel {
  const over = [...overlap.leftOver, ...overlap.rightOver]
  // `Yogyakarta` and `Jakarta` are few letters of a long name, and not the same.
  if (over.every(isShort) && isNearly(record, candidate)) return 'spelling'
  if (overlap.right >= ALMOST_ALL) {
    if (overlap.left >= MOSTLY) return 'within-mostly'
    return overlap.weight >= TELLING ? 'within-telling' : 'within'
  }
  if (overlap.left >= ALMOST_ALL) return overlap.right >= MOSTLY ? 'contains-mostly' : 'contains'
  const acronym = acronymOf(record, candidate) ?? acronymOf(candidate, record)
  if (acronym !== null) return acronym.length >= LONG_ACRONYM ? 'long-acronym' : 'acronym'
  if (overlap.both >= CLOSE) return 'close'
  return overlap.both >= SOME ? 'some' : 'different'
}

function isBodyOrOwner(word: string): boolean {
  return isBody(word) || isOwner(word)
}

function isShort(word: string): boolean {
  return word.length < SHORTEST_WORD
}

function isNearly(record: PreparedName, candidate: PreparedName): boolean {
  return levenshteinRatio(record.known.forms.c, candidate.known.forms.c) >= ALMOST_EQUAL_TEXT
}

/** The short name, when it is the initials of the long one. */
function acronymOf({ known: short }: PreparedName, { known: long }: PreparedName): string | null {
  const [acronym, ...more] = short.forms.tokens
  if (acronym === undefined || more.length > 0 || acronym.length < SHORTEST_ACRONYM) return null
  return isAcronymOf(acronym, long.meanings) || isAcronymOf(acronym, long.forms.tokens)
    ? acronym
    : null
}

function isAcronymOf(acronym: string, words: readonly string[]): boolean {
  return (
    acronym.length === words.length && words.every((word, at) => word.charAt(0) === acronym[at])
  )
}
