/**
 * csv-reconcile 0.3.2 with its default scorer, as its source does it: the Dice coefficient of the sets of letter pairs
 * of the folded names, at least 30 of 100, ten candidates; a match is the only candidate, or the only one that is
 * written the same. It knows one name per item.
 */
import { foldLetters } from '../../../src/core/names/fold-letters.ts'
import type { KbItem } from '../../../src/kb/kb-item.ts'
import type { PeerAnswer } from './peer-answer.ts'

const THRESHOLD = 30
const LIMIT = 10

export function createDicePeer(items: readonly KbItem[]): (name: string) => PeerAnswer {
  const sizes = new Float64Array(items.length)
  const postings = new Map<string, number[]>()
  items.forEach(({ label }, position) => {
    const pairs = letterPairs(label)
    sizes[position] = pairs.size
    for (const pair of pairs) {
      const list = postings.get(pair)
      if (list === undefined) postings.set(pair, [position])
      else list.push(position)
    }
  })
  const shared = new Uint16Array(items.length)
  return (name) => {
    const pairs = letterPairs(name)
    shared.fill(0)
    for (const pair of pairs) {
      for (const position of postings.get(pair) ?? [])
        shared[position] = (shared[position] ?? 0) + 1
    }
    const found: { readonly position: number; readonly score: number }[] = []
    for (const [position, common] of shared.entries()) {
      const score = (200 * common) / (pairs.size + (sizes[position] ?? 0))
      if (score > THRESHOLD) found.push({ position, score })
    }
    const best = found.sort((a, b) => b.score - a.score).slice(0, LIMIT)
    const ids = best.map(({ position }) => items[position]?.qid ?? '')
    const same = best.filter(({ position }) => items[position]?.label === name)
    const match = best.length === 1 ? best[0] : same.length === 1 ? same[0] : undefined
    return {
      candidates: ids,
      matched: match === undefined ? null : (items[match.position]?.qid ?? null),
    }
  }
}

/** As the package `normality` folds: Latin letters without marks, lower case, one space. */
function letterPairs(text: string): ReadonlySet<string> {
  const folded = foldLetters(text.toLowerCase())
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  const pairs = new Set<string>()
  for (let at = 0; at + 1 < folded.length; at++) pairs.add(folded.slice(at, at + 2))
  return pairs
}
