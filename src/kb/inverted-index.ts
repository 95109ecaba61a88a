/**
 * Which of many feature sets are most like a given one: the sum of the weights of the features both have, divided by
 * the geometric mean of their own sums. A feature weighs more the rarer it is. All arrays are typed: half a million
 * names are some 40 MB. Every `!` is an index within bounds by construction.
 */

export interface InvertedIndex {
  /** Weight of a feature, 0 < w; largest for one that no set has. */
  weight(feature: number): number
  /** Positions of the sets most like `features`, best first, equal ones by position. */
  mostLike(
    features: readonly number[],
    count: number,
    accepts: (set: number) => boolean,
  ): readonly number[]
}

/** Most postings read for one question: bounds the time in a large file. The rarest features are read first. */
const POSTINGS_READ = 60_000

/** In: sets of features numbered below `featureCount`, without repeats. */
export function buildInvertedIndex(
  sets: readonly (readonly number[])[],
  featureCount: number,
): InvertedIndex {
  // The sets that have feature f stand in `postings` from starts[f] to starts[f + 1].
  const starts = new Uint32Array(featureCount + 1)
  for (const set of sets) for (const feature of set) starts[feature + 1]! += 1
  for (let feature = 0; feature < featureCount; feature++) starts[feature + 1]! += starts[feature]!
  const countOf = (feature: number): number => starts[feature + 1]! - starts[feature]!
  const weight = (feature: number): number => Math.log(1 + sets.length / (1 + countOf(feature)))

  const postings = new Uint32Array(starts[featureCount]!)
  const filled = starts.slice()
  const totals = new Float32Array(sets.length)
  sets.forEach((set, position) => {
    for (const feature of set) {
      postings[filled[feature]!++] = position
      totals[position]! += weight(feature)
    }
  })

  const shared = new Float32Array(sets.length)
  const mostLike: InvertedIndex['mostLike'] = (features, count, accepts) => {
    const touched: number[] = []
    let total = 0
    let read = 0
    for (const feature of features.toSorted((a, b) => countOf(a) - countOf(b))) {
      const featureWeight = weight(feature)
      total += featureWeight
      read += countOf(feature)
      if (read > POSTINGS_READ) continue
      for (let i = starts[feature]!; i < starts[feature + 1]!; i++) {
        const set = postings[i]!
        if (shared[set] === 0) touched.push(set)
        shared[set]! += featureWeight
      }
    }
    const best = bestOf(count)
    for (const set of touched) {
      const likeness = shared[set]! / Math.sqrt(total * totals[set]!)
      shared[set] = 0
      if (best.wouldTake(likeness, set) && accepts(set)) best.take(likeness, set)
    }
    return best.positions()
  }
  return { weight, mostLike }
}

interface Best {
  wouldTake(likeness: number, position: number): boolean
  take(likeness: number, position: number): void
  positions(): readonly number[]
}

/** Keeps the `count` best, sorted. */
function bestOf(count: number): Best {
  const kept: { readonly likeness: number; readonly position: number }[] = []
  const isBefore = (likeness: number, position: number, other: number): boolean => {
    const at = kept[other]!
    return likeness > at.likeness || (likeness === at.likeness && position < at.position)
  }
  return {
    wouldTake: (likeness, position) =>
      kept.length < count || isBefore(likeness, position, kept.length - 1),
    take: (likeness, position) => {
      let at = kept.length
      while (at > 0 && isBefore(likeness, position, at - 1)) at--
      kept.splice(at, 0, { likeness, position })
      if (kept.length > count) kept.pop()
    },
    positions: () => kept.map(({ position }) => position),
  }
}
