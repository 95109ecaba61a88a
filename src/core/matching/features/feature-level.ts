import type { Verdict } from '../decision.ts'

/** How one feature of a record compares with a candidate, before it is weighed. */
export interface FeatureLevel {
  /** `name`, `kind`, a property id, … as people see it. */
  readonly feature: string
  readonly verdict: Verdict
  /** Keys into the weights: `name.equal`, `alias`; unknown keys and none weigh nothing. */
  readonly keys: readonly string[]
  readonly record: string
  readonly candidate: string
  readonly how: string
}
