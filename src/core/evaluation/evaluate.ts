/**
 * How good decisions are, measured against records whose answer is known (research reconciliation §4.3). Pure.
 *
 *   precision   right automatic matches ÷ automatic matches
 *   recall      right automatic matches ÷ records whose item exists
 *   candidate recall, precision at k, MRR: over records whose item exists, automatic or not
 *   false on absent   automatic matches of records whose item does not exist ÷ such records
 */
import { type Interval, wilsonInterval } from './wilson-interval.ts'

export interface EvaluatedRow {
  /** The right item; null: it is known that there is none. */
  readonly expected: string | null
  /** The automatic match; null: there was none. */
  readonly matched: string | null
  /** All candidates, best first. */
  readonly candidates: readonly string[]
  /** Score of the best candidate, 0 to 100; null without one. */
  readonly score: number | null
}

export interface Evaluation {
  readonly rows: number
  /** Records whose item exists. */
  readonly inKb: number
  readonly auto: Interval & {
    readonly n: number
    readonly right: number
    /** Part of all records that was decided automatically. */
    readonly share: number
    /** Null when nothing was matched. */
    readonly precision: number | null
  }
  readonly recall: number
  readonly f1: number
  readonly candidateRecall: number
  readonly precisionAt1: number
  readonly precisionAt3: number
  readonly precisionAt5: number
  readonly mrr: number
  readonly falseOnAbsent: number
}

/** @param redirects merged items, old id to new: both sides are compared by the new one */
export function evaluate(
  rows: readonly EvaluatedRow[],
  redirects: ReadonlyMap<string, string> = new Map(),
): Evaluation {
  const resolved = rows.map((row) => resolve(row, redirects))
  const present = resolved.filter(({ expected }) => expected !== null)
  const absent = resolved.filter(({ expected }) => expected === null)
  const auto = resolved.filter(({ matched }) => matched !== null)
  const right = auto.filter(({ matched, expected }) => matched === expected).length
  const ranks = present.map(({ candidates, expected }) => candidates.indexOf(expected ?? '') + 1)
  const within = (places: number): number =>
    share(ranks.filter((rank) => rank > 0 && rank <= places).length, present.length)
  const recall = share(right, present.length)
  const precision = auto.length === 0 ? null : right / auto.length
  return {
    rows: rows.length,
    inKb: present.length,
    auto: {
      n: auto.length,
      right,
      share: share(auto.length, rows.length),
      precision,
      ...wilsonInterval(right, auto.length),
    },
    recall,
    f1: harmonicMean(precision ?? 0, recall),
    candidateRecall: within(Infinity),
    precisionAt1: within(1),
    precisionAt3: within(3),
    precisionAt5: within(5),
    mrr: share(
      ranks.reduce((sum, rank) => sum + (rank > 0 ? 1 / rank : 0), 0),
      present.length,
    ),
    falseOnAbsent: share(absent.filter(({ matched }) => matched !== null).length, absent.length),
  }
}

function resolve(row: EvaluatedRow, redirects: ReadonlyMap<string, string>): EvaluatedRow {
  if (redirects.size === 0) return row
  const target = (id: string): string => redirects.get(id) ?? id
  return {
    ...row,
    expected: row.expected === null ? null : target(row.expected),
    matched: row.matched === null ? null : target(row.matched),
    candidates: [...new Set(row.candidates.map(target))],
  }
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}

function harmonicMean(left: number, right: number): number {
  return left + right === 0 ? 0 : (2 * left * right) / (left + right)
}
