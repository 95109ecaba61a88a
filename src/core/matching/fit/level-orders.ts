/** Which levels must not weigh less than which others. */
import type { EntityKind } from '../../project-settings.ts'
import { coordinateLevels } from '../features/property-levels.ts'
import { dateLevels } from '../features/date-feature.ts'
import { personLevels } from '../features/person-likeness.ts'
import { titleLevels } from '../features/title-likeness.ts'

export interface LevelOrder<Level = string> {
  /** Best first. */
  readonly levels: readonly Level[]
  /** Levels from this position on are contradictions: never above 0. */
  readonly againstFrom?: number | undefined
  /** Levels before this position are agreement: never below 0. */
  readonly forUntil?: number | undefined
}

function order(
  feature: string,
  levels: readonly string[],
  forUntil?: number,
  againstFrom?: number,
): LevelOrder {
  return { levels: levels.map((level) => `${feature}.${level}`), forUntil, againstFrom }
}

const agreement = ['agree', 'partly', 'disagree']

/** The orders of all features but names, which depend on the kind. */
const common: readonly LevelOrder[] = [
  ...[
    'id',
    'url',
    'number',
    'country',
    'place',
    'sex',
    'kind',
    'item',
    'service',
    'type',
    'country-in-name',
    'city-in-name',
  ].map((feature) => order(feature, agreement, 1, 2)),
  order('date', dateLevels, 2, 5),
  order('coordinate', coordinateLevels, 2, 4),
  order('matched', ['4', '3', '2', '1'], 4),
  { levels: ['alias'], againstFrom: 0 },
  { levels: ['common-words'], againstFrom: 0 },
  { levels: ['alias-only'], againstFrom: 0 },
  { levels: ['variant'], againstFrom: 0 },
  { levels: ['generation'], againstFrom: 0 },
  { levels: ['family-name'], againstFrom: 0 },
  { levels: ['behind'], againstFrom: 0 },
  { levels: ['behind-label'], againstFrom: 0 },
]

const personOrders: readonly LevelOrder[] = [...common, order('name', personLevels)]
const titleOrders: readonly LevelOrder[] = [
  ...common,
  order('name', titleLevels),
  order('segment', titleLevels),
]

/** The orders that hold for a kind of entity. */
export function ordersOf(kind: EntityKind): readonly LevelOrder[] {
  return kind === 'person' ? personOrders : titleOrders
}

/**
 * Moves weights that are out of order to their mean, each counted as often as it was seen, and those of the wrong sign
 * to 0. Changes `weights` in place.
 */
export function inOrder(
  weights: number[],
  { levels, forUntil = 0, againstFrom }: LevelOrder<number>,
  counts: readonly number[],
): void {
  const pools: { weight: number; seen: number; size: number }[] = []
  for (const level of levels) {
    let pool = { weight: weights[level] ?? 0, seen: (counts[level] ?? 0) + 1, size: 1 }
    for (
      let last = pools.at(-1);
      last !== undefined && last.weight < pool.weight;
      last = pools.at(-1)
    ) {
      pools.pop()
      const seen = last.seen + pool.seen
      const weight = (last.weight * last.seen + pool.weight * pool.seen) / seen
      pool = { weight, seen, size: last.size + pool.size }
    }
    pools.push(pool)
  }
  const pooled = pools.flatMap(({ weight, size }) => Array.from({ length: size }, () => weight))
  for (const [position, level] of levels.entries()) {
    let weight = pooled[position] ?? 0
    if (position < forUntil) weight = Math.max(0, weight)
    if (againstFrom !== undefined && position >= againstFrom) weight = Math.min(0, weight)
    weights[level] = weight
  }
}
