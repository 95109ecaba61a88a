/** Words of a name with what comparing them one by one needs: worked out once per list, as lists are remembered. */
import { memo } from '../memo.ts'
import { isCommonMeaning } from './word-lexicon.ts'

export interface WeighedWord {
  readonly text: string
  /** 1 for a word of its own, less for one that many names share. */
  readonly weight: number
  /** Many names share it. */
  readonly isCommon: boolean
  readonly isNumber: boolean
  /** Bit n is set where its first letter is in group n of letters that stand for each other. */
  readonly beginnings: number
}

const REMEMBERED = 20_000
const COMMON_WORD_WEIGHT = 0.35
const NUMBER = /^(?:\d+|[ivx]{1,4})$/
// `Pusan` may be `Busan`, `Mangalore` is not `Bangalore`.
const ALIKE_BEGINNINGS = ['bpvfw', 'dt', 'kgcqhx', 'szcjx', 'iyj', 'aeiou', 'lr', 'uw']

export const weighWord = memo((text: string): WeighedWord => {
  const isCommon = isCommonMeaning(text)
  const first = text.charAt(0)
  return {
    text,
    weight: isCommon ? COMMON_WORD_WEIGHT : 1,
    isCommon,
    isNumber: NUMBER.test(text),
    beginnings: ALIKE_BEGINNINGS.reduce(
      (bits, group, at) => (group.includes(first) ? bits | (1 << at) : bits),
      0,
    ),
  }
}, REMEMBERED)

const known = new WeakMap<readonly string[], readonly WeighedWord[]>()

/** @param words Never changed afterwards. */
export function weighedWords(words: readonly string[]): readonly WeighedWord[] {
  const before = known.get(words)
  if (before !== undefined) return before
  const weighed = words.map(weighWord)
  known.set(words, weighed)
  return weighed
}

export function beginAlike(left: WeighedWord, right: WeighedWord): boolean {
  return (
    left.text.charCodeAt(0) === right.text.charCodeAt(0) ||
    (left.beginnings & right.beginnings) !== 0
  )
}
