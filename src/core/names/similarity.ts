/**
 * How alike two names are, 0 (nothing in common) to 1 (equal). All are symmetric and count code points, so that an
 * emoji is one character. A blank side is like nothing, not even another blank: absence is no agreement.
 */
import { distance } from 'fastest-levenshtein'

/** 1 − edits ÷ length of the longer text. */
export function levenshteinRatio(left: string, right: string): number {
  if (left === '' || right === '') return 0
  if (left === right) return 1
  const [one, other] = oneUnitPerCharacter(left, right)
  return 1 - distance(one, other) / Math.max(one.length, other.length)
}

/** Levenshtein ratio of the words in alphabetical order: `Monet, Claude` is `Claude Monet`. */
export function tokenSortRatio(left: readonly string[], right: readonly string[]): number {
  return levenshteinRatio(sortedText(left), sortedText(right))
}

/**
 * Levenshtein ratio that forgives words only one side has, and repeats: 1 when all words of one side occur in the
 * other. Too lenient to decide alone: `Bank` is fully like `Bank of Georgia`.
 */
export function tokenSetRatio(left: readonly string[], right: readonly string[]): number {
  const leftSet = new Set(left)
  const rightSet = new Set(right)
  const both = [...leftSet].filter((token) => rightSet.has(token))
  const shared = sortedText(both)
  const leftText = joined(shared, sortedText([...leftSet].filter((token) => !rightSet.has(token))))
  const rightText = joined(shared, sortedText([...rightSet].filter((token) => !leftSet.has(token))))
  return Math.max(
    levenshteinRatio(shared, leftText),
    levenshteinRatio(shared, rightText),
    levenshteinRatio(leftText, rightText),
  )
}

const PREFIX_WEIGHT = 0.1
const LONGEST_PREFIX = 4

/** Jaro similarity with Winkler's bonus for an equal beginning of up to four characters: made for personal names. */
export function jaroWinkler(left: string, right: string): number {
  if (left === '' || right === '') return 0
  if (left === right) return 1
  const [one, other] = oneUnitPerCharacter(left, right)
  const jaro = jaroSimilarity(one, other)
  const end = Math.min(LONGEST_PREFIX, one.length, other.length)
  let prefix = 0
  while (prefix < end && one[prefix] === other[prefix]) prefix++
  return jaro + prefix * PREFIX_WEIGHT * (1 - jaro)
}

/**
 * Whether two names are so alike by `jaroWinkler`. Most pairs of words share too few letters, which takes a fraction of
 * the time to find out.
 */
export function isJaroWinklerAtLeast(left: string, right: string, least: number): boolean {
  return mostJaroWinkler(left, right) >= least && jaroWinkler(left, right) >= least
}

/** At least what `jaroWinkler` says: as if all letters matched but those that the other text lacks, and in order. */
function mostJaroWinkler(left: string, right: string): number {
  if (SURROGATE.test(left) || SURROGATE.test(right)) return 1
  const [leftLetters, rightLetters] = [letterBits(left), letterBits(right)]
  const matches = Math.min(
    left.length - bitCount(leftLetters & ~rightLetters),
    right.length - bitCount(rightLetters & ~leftLetters),
  )
  if (matches <= 0) return 0
  const jaro = (matches / left.length + matches / right.length + 1) / 3
  const prefix = left.charCodeAt(0) === right.charCodeAt(0) ? LONGEST_PREFIX : 0
  return jaro + prefix * PREFIX_WEIGHT * (1 - jaro)
}

/** One of 32 bits for each letter; two letters may share one. */
function letterBits(text: string): number {
  let bits = 0
  for (let at = 0; at < text.length; at++) bits |= 1 << (text.charCodeAt(at) & 31)
  return bits
}

function bitCount(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1
  return count
}

function jaroSimilarity(one: string, other: string): number {
  const reach = Math.max(0, Math.floor(Math.max(one.length, other.length) / 2) - 1)
  const taken = new Uint8Array(other.length)
  const matchedOfOne = new Uint16Array(one.length)
  let matches = 0
  for (let i = 0; i < one.length; i++) {
    const end = Math.min(other.length, i + reach + 1)
    const unit = one.charCodeAt(i)
    for (let j = Math.max(0, i - reach); j < end; j++) {
      if (taken[j] === 1 || unit !== other.charCodeAt(j)) continue
      taken[j] = 1
      matchedOfOne[matches++] = unit
      break
    }
  }
  if (matches === 0) return 0
  let outOfPlace = 0
  for (let j = 0, k = 0; j < other.length; j++) {
    if (taken[j] === 1 && other.charCodeAt(j) !== matchedOfOne[k++]) outOfPlace += 1
  }
  return (matches / one.length + matches / other.length + (matches - outOfPlace / 2) / matches) / 3
}

function sortedText(tokens: readonly string[]): string {
  return tokens.toSorted().join(' ')
}

function joined(first: string, second: string): string {
  return first === '' || second === '' ? first + second : `${first} ${second}`
}

const SURROGATE = /[\ud800-\udfff]/

/** Replaces every character beyond the basic plane by one unit that neither text has. */
function oneUnitPerCharacter(left: string, right: string): readonly [string, string] {
  if (!SURROGATE.test(left) && !SURROGATE.test(right)) return [left, right]
  const units = new Map<string, string>()
  const used = new Set(left + right)
  let next = 0xe000
  const shorten = (text: string): string =>
    Array.from(text, (character) => {
      if (character.length === 1) return character
      let unit = units.get(character)
      while (unit === undefined) {
        const free = String.fromCharCode(next++)
        if (!used.has(free)) units.set(character, free)
        unit = units.get(character)
      }
      return unit
    }).join('')
  return [shorten(left), shorten(right)]
}
