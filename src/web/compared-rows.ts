/** A record and its candidates as rows that stand side by side. */
import type { FeatureShare } from '../core/matching/score-shares.ts'
import type { ExplainedCandidate } from '../client/explain/explain-entry.ts'

export interface ComparedRow {
  readonly key: string
  /** `name`, `kind`, or a property. */
  readonly feature: string
  readonly record: string
  /** In the order of the candidates; null: not compared there. */
  readonly cells: readonly (FeatureShare | null)[]
}

/** Features in the order of the first candidate that has them; one that comes twice has two rows. */
export function comparedRows(candidates: readonly ExplainedCandidate[]): readonly ComparedRow[] {
  const columns = candidates.map(({ features }) => keyed(features))
  const keys = [...new Set(columns.flatMap((column) => [...column.keys()]))]
  return keys.map((key) => {
    const cells = columns.map((column) => column.get(key) ?? null)
    const first = cells.find((cell) => cell !== null)
    return { key, feature: first?.feature ?? key, record: first?.record ?? '', cells }
  })
}

function keyed(features: readonly FeatureShare[]): ReadonlyMap<string, FeatureShare> {
  const found = new Map<string, FeatureShare>()
  for (const feature of features) {
    let key = feature.feature
    for (let again = 2; found.has(key); again += 1) key = `${feature.feature} ${again}`
    found.set(key, feature)
  }
  return found
}
