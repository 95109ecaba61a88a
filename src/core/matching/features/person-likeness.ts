/** How alike two names of people are, as one of a few levels. Order, particles and initials are a matter of style. */
import { memo } from '../../memo.ts'
import { knownName } from '../../names/known-name.ts'
import { agreeingForm } from '../../names/normalize-name.ts'
import { isJaroWinklerAtLeast } from '../../names/similarity.ts'
import { soundSkeleton } from '../../names/sound-skeleton.ts'
import type { PreparedName } from './record-names.ts'

/** From best to worst; the order is that of their weights. */
export const personLevels = [
  'equal',
  'words',
  'contained',
  'initials',
  'spelling',
  'contained-loosely',
  'one-name',
  'same-family',
  'partial',
  'different',
] as const
export type PersonLevel = (typeof personLevels)[number]

const PARTICLES = new Set(
  (
    'de del della dell delle dei di da do dos das du des la le les l van von der den het ter ten te zu zum zur af av ' +
    'of the el al ibn bin ben y e i and und et called dit genannt'
  ).split(' '),
)
const GENERATIONS: Readonly<Record<string, string>> = {
  jr: '2',
  junior: '2',
  younger: '2',
  jungere: '2',
  jeune: '2',
  ii: '2',
  sr: '1',
  senior: '1',
  elder: '1',
  altere: '1',
  aine: '1',
  i: '1',
  iii: '3',
  iv: '4',
}
/** `T.H.` is two initials. */
const INITIAL = /(?<![\p{L}\p{M}])(\p{L})\./gu
const WORD = /[\p{L}\p{M}\p{N}]+/gu
const LIKE_NAME = 0.87
const REMEMBERED = 20_000

interface PersonWords {
  readonly names: readonly string[]
  readonly generation: string | undefined
}

export interface PersonLikeness {
  readonly level: PersonLevel
  /** One is the elder, or the first, and the other the younger, or the second. */
  readonly otherGeneration: boolean
}

export function personLikeness(record: PreparedName, candidate: PreparedName): PersonLikeness {
  const [left, right] = [wordsOf(record.text), wordsOf(candidate.text)]
  const otherGeneration =
    left.generation !== undefined &&
    right.generation !== undefined &&
    left.generation !== right.generation
  return { level: levelOf(record, candidate, left.names, right.names), otherGeneration }
}

function levelOf(
  record: PreparedName,
  candidate: PreparedName,
  left: readonly string[],
  right: readonly string[],
): PersonLevel {
  const form = agreeingForm(record.known.forms, candidate.known.forms)
  if (form !== null && form !== 'd') return 'equal'
  if (left.length === 0 || right.length === 0) return 'different'
  const [fewer, more] = left.length <= right.length ? [left, right] : [right, left]
  const { exact, initials, alike, unmatched } = align(fewer, more)
  const rest = more.length - fewer.length + unmatched
  if (unmatched === 0) {
    if (rest === 0) {
      if (exact === fewer.length) return 'words'
      // Two initials of equal letters are no name yet.
      if (exact + alike === 0) return 'partial'
      return alike === 0 ? 'initials' : 'spelling'
    }
    if (fewer.length === 1) return exact === 1 ? 'one-name' : 'partial'
    if (exact === fewer.length) return 'contained'
    return exact + alike > 0 && exact + initials + alike >= 2 ? 'contained-loosely' : 'partial'
  }
  if (fewer.join('') === more.join('')) return 'words'
  // The given name is other: translated, or a short form.
  const [family = '', otherFamily = ''] = [left.at(-1), right.at(-1)]
  if (
    fewer.length > 1 &&
    unmatched === 1 &&
    (isSame(family, otherFamily) || isAlike(family, otherFamily))
  ) {
    return 'same-family'
  }
  return exact >= 1 ? 'partial' : 'different'
}

/** Gives each word of the shorter name its best partner in the longer one. */
function align(
  fewer: readonly string[],
  more: readonly string[],
): {
  readonly exact: number
  readonly initials: number
  readonly alike: number
  readonly unmatched: number
} {
  const free = [...more]
  const take = (word: string, fits: (word: string, other: string) => boolean): boolean => {
    const at = free.findIndex((other) => fits(word, other))
    if (at >= 0) free.splice(at, 1)
    return at >= 0
  }
  const counts = [0, 0, 0]
  let left: readonly string[] = fewer
  for (const [step, fits] of [isSame, isInitial, isAlike].entries()) {
    const before = left.length
    left = left.filter((word) => !take(word, fits))
    counts[step] = before - left.length
  }
  const [exact = 0, initials = 0, alike = 0] = counts
  return { exact, initials, alike, unmatched: left.length }
}

function isSame(word: string, other: string): boolean {
  return word === other
}

function isInitial(word: string, other: string): boolean {
  return (word.length === 1 || other.length === 1) && word.charAt(0) === other.charAt(0)
}

function isAlike(word: string, other: string): boolean {
  if (word.length < 3 || other.length < 3) return false
  if (isJaroWinklerAtLeast(word, other, LIKE_NAME)) return true
  const skeleton = soundSkeleton(word)
  return skeleton !== '' && skeleton === soundSkeleton(other)
}

const wordsOf = memo((text: string): PersonWords => {
  const { forms } = knownName(text)
  const names: string[] = []
  let generation: string | undefined
  const tokens = forms.b.includes('.')
    ? (forms.b.replace(INITIAL, '$1 ').match(WORD) ?? [])
    : forms.tokens
  for (const [position, token] of tokens.entries()) {
    const named = GENERATIONS[token]
    // A first `I` is an initial.
    if (named !== undefined && position > 0) generation = named
    else if (!PARTICLES.has(token)) names.push(token)
  }
  return { names: names.length > 0 ? names : forms.tokens, generation }
}, REMEMBERED)
