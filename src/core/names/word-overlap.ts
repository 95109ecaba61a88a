/** Which words of two names stand for each other, and how much of each name that covers. */
import { levenshteinRatio } from './similarity.ts'
import { soundSkeleton } from './sound-skeleton.ts'
import { isCommonMeaning } from './word-lexicon.ts'

export interface WordOverlap {
  /** Part of the weight of each name that the other one has too, 0 to 1. */
  readonly left: number
  readonly right: number
  /** Harmonic mean of both. */
  readonly both: number
  /** Weight of the common words; a rare word weighs 1, one of many names less. */
  readonly weight: number
  /** A number in one name has no equal in the other: `Lyon 1` is not `Lyon 3`. */
  readonly numbersDiffer: boolean
  /** Of the two common words least alike: 1 when all are equal. */
  readonly leastLikeness: number
  /** Words of the left name that have a counterpart. */
  readonly common: readonly string[]
  /** Words without a counterpart. */
  readonly leftOver: readonly string[]
  readonly rightOver: readonly string[]
}

const COMMON_WORD_WEIGHT = 0.35
const SAME_SOUND = 0.85
const LEAST_LIKE = 0.75
/** Shorter words are other words when a letter differs. */
const SHORTEST_MISSPELT = 5
/** How much a spelling that is merely alike counts at most. */
const ALIKE = 0.9
const SHORTEST_PREFIX = 4
const ABBREVIATED = 0.6
const NUMBER = /^(?:\d+|[ivx]{1,4})$/

/**
 * Compares names as bags of words by meaning (form E).
 */
export function wordOverlap(left: readonly string[], right: readonly string[]): WordOverlap {
  const free = new Set(right.keys())
  const pairs: { word: string; other: string; likeness: number }[] = []
  const rest: string[] = []
  for (const word of left) {
    const at = [...free].find((index) => right[index] === word)
    if (at === undefined) rest.push(word)
    else {
      free.delete(at)
      pairs.push({ word, other: word, likeness: 1 })
    }
  }
  const unmatched: string[] = []
  for (const word of rest) {
    let best = { at: -1, likeness: 0 }
    for (const at of free) {
      const likeness = wordLikeness(word, right[at] ?? '')
      if (likeness > best.likeness) best = { at, likeness }
    }
    if (best.at < 0) {
      unmatched.push(word)
      continue
    }
    free.delete(best.at)
    pairs.push({ word, other: right[best.at] ?? '', likeness: best.likeness })
  }
  const leftTotal = sum(left.map(wordWeight))
  const rightTotal = sum(right.map(wordWeight))
  const leftShare = share(
    sum(pairs.map(({ word, likeness }) => wordWeight(word) * likeness)),
    leftTotal,
  )
  const rightShare = share(
    sum(pairs.map(({ other, likeness }) => wordWeight(other) * likeness)),
    rightTotal,
  )
  const rightOver = [...free].map((at) => right[at] ?? '')
  return {
    left: leftShare,
    right: rightShare,
    both:
      leftShare + rightShare === 0 ? 0 : (2 * leftShare * rightShare) / (leftShare + rightShare),
    weight: sum(pairs.map(({ word, likeness }) => wordWeight(word) * likeness)),
    leastLikeness: Math.min(1, ...pairs.map(({ likeness }) => likeness)),
    common: pairs.map(({ word }) => word),
    numbersDiffer: [...unmatched, ...rightOver].some((word) => NUMBER.test(word)),
    leftOver: unmatched,
    rightOver,
  }
}

/** 1 for a word of its own, less for one that many names share. */
function wordWeight(word: string): number {
  return isCommonMeaning(word) ? COMMON_WORD_WEIGHT : 1
}

/** 0 for different words; below 1 for two spellings of one. */
export function wordLikeness(left: string, right: string): number {
  if (left === right) return 1
  const shorter = Math.min(left.length, right.length)
  const longer = Math.max(left.length, right.length)
  if (NUMBER.test(left) || NUMBER.test(right)) return 0
  // `Northeast` is no misspelling of `northwest`.
  if (isCommonMeaning(left) && isCommonMeaning(right)) return 0
  // `Environm` for `Environmental`.
  if (shorter >= SHORTEST_PREFIX && (left.startsWith(right) || right.startsWith(left))) {
    return longer - shorter <= 1 ? ALIKE : ABBREVIATED
  }
  if (shorter < SHORTEST_MISSPELT || shorter < longer * LEAST_LIKE - 1) return 0
  if (!beginsAlike(left, right)) return 0
  const ratio = isTransposed(left, right) ? 1 - 1 / longer : levenshteinRatio(left, right)
  const spelling = ratio >= LEAST_LIKE ? ratio * ALIKE : 0
  if (spelling >= SAME_SOUND) return spelling
  const skeleton = soundSkeleton(left)
  return skeleton !== '' && skeleton === soundSkeleton(right) ? SAME_SOUND : spelling
}

// `Pusan` may be `Busan`, `Mangalore` is not `Bangalore`.
const ALIKE_BEGINNINGS = ['bpvfw', 'dt', 'kgcqhx', 'szcjx', 'iyj', 'aeiou', 'lr', 'uw']

function beginsAlike(left: string, right: string): boolean {
  const [one, other] = [left.charAt(0), right.charAt(0)]
  return (
    one === other || ALIKE_BEGINNINGS.some((group) => group.includes(one) && group.includes(other))
  )
}

/** Two neighbours changed places: `Univeristy`. */
function isTransposed(left: string, right: string): boolean {
  if (left.length !== right.length) return false
  let at = 0
  while (at < left.length && left[at] === right[at]) at++
  return (
    left[at] === right[at + 1] &&
    left[at + 1] === right[at] &&
    left.slice(at + 2) === right.slice(at + 2)
  )
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}
