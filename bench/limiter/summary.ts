/** Many seeds of one story, put together: median, worst, and whether the goals are met. */
import type { StrategyName } from '../../src/core/limiter/policy.ts'
import { median } from '../median.ts'
import { meets, type Goal, type Measure } from './stories/story.ts'

export interface Summary {
  readonly story: string
  readonly title: string
  readonly strategy: StrategyName
  readonly measures: readonly MeasureSummary[]
}

export interface MeasureSummary extends Measure {
  /** `value` is the median of all seeds; of an invariant, the worst. */
  readonly value: number
  readonly worst: number
  /** Null without a goal. */
  readonly ok: boolean | null
}

/** @param runs Of the same story: the same measures in the same order. */
export function summarise(
  runs: readonly (readonly Measure[])[],
  hasGoals: boolean,
): readonly MeasureSummary[] {
  return (runs[0] ?? []).map((measure, index) => {
    const values = runs.map((run) => run[index]?.value ?? NaN).sort((a, b) => a - b)
    const { goal, ...rest } = measure
    const worst = worstOf(values, measure)
    const value = goal?.isInvariant === true ? worst : median(values)
    if (goal === undefined || !hasGoals) return { ...rest, value, worst, ok: null }
    return { ...rest, goal, value, worst, ok: meets(value, goal) }
  })
}

/** Without a goal: the highest, as what is only shown is mostly trouble. */
function worstOf(sorted: readonly number[], { goal }: Measure): number {
  const lowest = sorted[0] ?? NaN
  const highest = sorted.at(-1) ?? NaN
  if (goal?.atLeast === undefined) return highest
  if (goal.atMost === undefined) return lowest
  return goal.atLeast - lowest > highest - goal.atMost ? lowest : highest
}

/** As people read it: `≥ 98`, `≤ 1`, `10–30`. */
export function goalText({ atLeast, atMost }: Goal): string {
  if (atLeast !== undefined && atMost !== undefined) return `${atLeast}–${atMost}`
  return atLeast === undefined ? `≤ ${Number(atMost?.toFixed(2))}` : `≥ ${atLeast}`
}
