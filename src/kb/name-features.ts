/**
 * What a name is indexed by: its words and the trigrams of each padded word, as bucket numbers. Words find reordered
 * names, trigrams misspelt ones. Two features may share a bucket; that costs a candidate that scoring drops.
 */

/** Number of buckets, a power of two: about ten times the distinct features of a large multilingual file. */
export const FEATURE_BUCKETS = 1 << 20

// Different starting values keep a word and a trigram of equal letters apart. FNV-1a, 32 bits.
const WORD_SEED = 0x811c9dc5
const TRIGRAM_SEED = 0x01234567
const FNV_PRIME = 0x01000193
const EDGE = 0x20

/** Bucket numbers of a name's features, without repeats, in no particular order. In: words of form C. */
export function nameFeatures(tokens: readonly string[]): readonly number[] {
  const buckets = new Set<number>()
  for (const token of tokens) {
    let first = EDGE
    let second = token.charCodeAt(0)
    for (let i = 0; i < token.length; i++) {
      const third = i + 1 < token.length ? token.charCodeAt(i + 1) : EDGE
      buckets.add(bucket(mix(mix(mix(TRIGRAM_SEED, first), second), third)))
      first = second
      second = third
    }
    buckets.add(wordFeature(token))
  }
  return [...buckets]
}

/** Bucket number of a word. */
export function wordFeature(token: string): number {
  let hash = WORD_SEED
  for (let i = 0; i < token.length; i++) hash = mix(hash, token.charCodeAt(i))
  return bucket(hash)
}

function mix(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, FNV_PRIME)
}

function bucket(hash: number): number {
  return (hash ^ (hash >>> 15)) & (FEATURE_BUCKETS - 1)
}
