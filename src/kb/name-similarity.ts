import type { NameForms } from '../core/names/normalize-name.ts'
import { levenshteinRatio, tokenSortRatio } from '../core/names/similarity.ts'

/** How much a word tells, higher for rare ones. */
export type WordWeight = (token: string) => number

/** Scores of names that agree in a form; the strictest that applies counts. */
export const EXACT_SCORES = { a: 100, b: 99, c: 98 } as const
const SAME_LETTERS = 96
const SAME_WORDS = 95
const SAME_WITHOUT_LEGAL_FORM = 94
/** What a name that agrees in no form can reach. */
const MOST_BY_LIKENESS = 92
/** What a name that is wholly contained in the other can reach; a few common words in common reach less. */
const MOST_BY_CONTAINMENT = 80
// Weight of shared words at which containment counts half: about one common word.
const HALF_CONTAINMENT_WEIGHT = 4
// Below this two words are different words, not a misspelling of one.
const LEAST_LIKE_WORD = 0.7

/** How well a stored name fits the name asked for, 0 to 100. Neither may be blank. */
export function nameSimilarity(asked: NameForms, stored: NameForms, weight: WordWeight): number {
  if (asked.a === stored.a) return EXACT_SCORES.a
  if (asked.b === stored.b) return EXACT_SCORES.b
  if (asked.c === stored.c) return EXACT_SCORES.c
  if (asked.tokens.join('') === stored.tokens.join('')) return SAME_LETTERS
  if (asked.tokens.toSorted().join(' ') === stored.tokens.toSorted().join(' ')) return SAME_WORDS
  if (asked.d === stored.d) return SAME_WITHOUT_LEGAL_FORM
  const ofAsked = coverage(asked.tokens, stored.tokens, weight)
  const ofStored = coverage(stored.tokens, asked.tokens, weight)
  const likeness = Math.max(
    levenshteinRatio(asked.c, stored.c),
    tokenSortRatio(asked.tokens, stored.tokens),
    harmonicMean(ofAsked.share, ofStored.share),
  )
  const contained = Math.max(ofAsked.share, ofStored.share)
  const shared = Math.min(ofAsked.weight, ofStored.weight)
  const telling = shared / (shared + HALF_CONTAINMENT_WEIGHT)
  return Math.max(likeness * MOST_BY_LIKENESS, contained * telling * MOST_BY_CONTAINMENT)
}

interface Coverage {
  /** Part of the first name's weight that the other one has too, 0 to 1. */
  readonly share: number
  readonly weight: number
}

/** How much of a name's weight another one covers, a misspelt word in part. */
function coverage(of: readonly string[], by: readonly string[], weight: WordWeight): Coverage {
  let total = 0
  let covered = 0
  for (const token of of) {
    const tokenWeight = weight(token)
    total += tokenWeight
    covered += tokenWeight * bestLikeness(token, by)
  }
  return { share: total === 0 ? 0 : covered / total, weight: covered }
}

function bestLikeness(token: string, others: readonly string[]): number {
  if (others.includes(token)) return 1
  let best = 0
  for (const other of others) {
    // Words whose lengths differ more cannot be alike enough.
    const shorter = Math.min(token.length, other.length)
    if (shorter < LEAST_LIKE_WORD * Math.max(token.length, other.length)) continue
    best = Math.max(best, levenshteinRatio(token, other))
  }
  return best >= LEAST_LIKE_WORD ? best : 0
}

function harmonicMean(left: number, right: number): number {
  return left + right === 0 ? 0 : (2 * left * right) / (left + right)
}
