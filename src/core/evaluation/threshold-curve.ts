import { evaluate, type EvaluatedRow } from './evaluate.ts'

/** What another threshold for automatic matches would have given. */
export interface ThresholdPoint {
  /** 0 to 100. */
  readonly threshold: number
  readonly matched: number
  /** Null where nothing would be matched. */
  readonly precision: number | null
  readonly recall: number
  readonly f1: number
  readonly falseOnAbsent: number
}

export interface ThresholdRow extends EvaluatedRow {
  /** A hard rule forbids an automatic match, whatever the score. */
  readonly vetoed: boolean
}

const STEPS = [50, 55, 60, 65, 70, 75, 80, 85, 90, 93, 95, 97, 98, 99, 100] as const

/**
 * Precision and recall at each threshold from 50 to 100; a vetoed record is matched at none.
 * @param redirects as of `evaluate`
 */
export function thresholdCurve(
  rows: readonly ThresholdRow[],
  redirects: ReadonlyMap<string, string> = new Map(),
): readonly ThresholdPoint[] {
  return STEPS.map((threshold) => {
    const { auto, recall, f1, falseOnAbsent } = evaluate(
      rows.map((row) => {
        const isMatched = !row.vetoed && row.score !== null && row.score >= threshold
        return { ...row, matched: isMatched ? (row.candidates[0] ?? null) : null }
      }),
      redirects,
    )
    return { threshold, matched: auto.n, precision: auto.precision, recall, f1, falseOnAbsent }
  })
}
