/** Which words of two names stand for each other, and how much of each name that covers. */
import { levenshteinRatio } from './similarity.ts'
import { soundSkeleton } from './sound-skeleton.ts'
import { beginAlike, type WeighedWord, weighedWords, weighWord } from './weighed-words.ts'

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

const SAME_SOUND = 0.85
const LEAST_LIKE = 0.75
/** Shorter words are other words when a letter differs. */
const SHORTEST_MISSPELT = 5
/** How much a spelling that is merely alike counts at most. */
const ALIKE = 0.9
const SHORTEST_PREFIX = 4
const ABBREVIATED = 0.6

interface WordPair {
  readonly word: WeighedWord
  readonly other: WeighedWord
  readonly likeness: number
}

/**
 * Compares names as bags of words by meaning (form E).
 */
export function wordOverlap(left: readonly string[], right: readonly string[]): WordOverlap {
  const [words, others] = [weighedWords(left), weighedWords(right)]
  const { pairs, leftOver, rightOver } = pairWords(words, others)
  let [leftWeight, rightWeight, leastLikeness] = [0, 0, 1]
  for (const { word, other, likeness } of pairs) {
    leftWeight += word.weight * likeness
    rightWeight += other.weight * likeness
    leastLikeness = Math.min(leastLikeness, likeness)
  }
  const leftShare = share(leftWeight, totalWeight(words))
  const rightShare = share(rightWeight, totalWeight(others))
  return {
    left: leftShare,
    right: rightShare,
    both:
      leftShare + rightShare === 0 ? 0 : (2 * leftShare * rightShare) / (leftShare + rightShare),
    weight: leftWeight,
    leastLikeness,
    common: pairs.map(({ word }) => word.text),
    numbersDiffer: leftOver.some(isNumber) || rightOver.some(isNumber),
    leftOver: leftOver.map(textOf),
    rightOver: rightOver.map(textOf),
  }
}

/**
 * Equal words first; then each that is left gets its best counterpart of those that are left. Every pair of names of a
 * record and its candidates comes by here, so these are plain loops.
 */
function pairWords(words: readonly WeighedWord[], others: readonly WeighedWord[]) {
  const pairs: WordPair[] = []
  const free = [...others]
  const rest: WeighedWord[] = []
  for (const word of words) {
    const at = indexOfText(free, word.text)
    const other = free[at]
    if (other === undefined) rest.push(word)
    else {
      free.splice(at, 1)
      pairs.push({ word, other, likeness: 1 })
    }
  }
  const leftOver: WeighedWord[] = []
  for (const word of rest) {
    const best = mostAlike(word, free)
    if (best === undefined) leftOver.push(word)
    else {
      free.splice(free.indexOf(best.other), 1)
      pairs.push(best)
    }
  }
  return { pairs, leftOver, rightOver: free }
}

function indexOfText(words: readonly WeighedWord[], text: string): number {
  for (let at = 0; at < words.length; at++) if (words[at]?.text === text) return at
  return -1
}

/** Of equals the first. */
function mostAlike(word: WeighedWord, others: readonly WeighedWord[]): WordPair | undefined {
  let best: WordPair | undefined
  for (const other of others) {
    const likeness = likenessOf(word, other)
    if (likeness > (best?.likeness ?? 0)) best = { word, other, likeness }
  }
  return best
}

/** 0 for different words; below 1 for two spellings of one. */
export function wordLikeness(left: string, right: string): number {
  return left === right ? 1 : likenessOf(weighWord(left), weighWord(right))
}

function likenessOf(word: WeighedWord, other: WeighedWord): number {
  const [left, right] = [word.text, other.text]
  const shorter = Math.min(left.length, right.length)
  // Most pairs end here: neither an abbreviation nor another spelling is so short, or begins otherwise.
  if (shorter < SHORTEST_PREFIX || !beginAlike(word, other)) return 0
  if (word.isNumber || other.isNumber) return 0
  // `Northeast` is no misspelling of `northwest`.
  if (word.isCommon && other.isCommon) return 0
  const longer = Math.max(left.length, right.length)
  // `Environm` for `Environmental`.
  if (left.startsWith(right) || right.startsWith(left)) {
    return longer - shorter <= 1 ? ALIKE : ABBREVIATED
  }
  if (shorter < SHORTEST_MISSPELT || shorter < longer * LEAST_LIKE - 1) return 0
  const ratio = isTransposed(left, right) ? 1 - 1 / longer : levenshteinRatio(left, right)
  const spelling = ratio >= LEAST_LIKE ? ratio * ALIKE : 0
  if (spelling >= SAME_SOUND) return spelling
  const skeleton = soundSkeleton(left)
  return skeleton !== '' && skeleton === soundSkeleton(right) ? SAME_SOUND : spelling
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

function isNumber(word: WeighedWord): boolean {
  return word.isNumber
}

function textOf(word: WeighedWord): string {
  return word.text
}

function totalWeight(words: readonly WeighedWord[]): number {
  return words.reduce((total, { weight }) => total + weight, 0)
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}
