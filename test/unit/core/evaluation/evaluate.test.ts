import { describe, expect, it } from 'vitest'
import { evaluate, type EvaluatedRow } from '../../../../src/core/evaluation/evaluate.ts'
import { thresholdCurve } from '../../../../src/core/evaluation/threshold-curve.ts'
import { wilsonInterval } from '../../../../src/core/evaluation/wilson-interval.ts'

function row(
  expected: string | null,
  matched: string | null,
  candidates: readonly string[],
  score: number | null = 90,
): EvaluatedRow {
  return { expected, matched, candidates, score }
}

const rows: readonly EvaluatedRow[] = [
  row('Q1', 'Q1', ['Q1', 'Q2']),
  row('Q2', 'Q9', ['Q9', 'Q2'], 80),
  row('Q3', null, ['Q7', 'Q8', 'Q3'], 60),
  row('Q4', null, [], null),
  row(null, 'Q5', ['Q5'], 70),
  row(null, null, [], null),
]

describe('evaluate', () => {
  it('counts right and wrong, found and missed, present and absent', () => {
    const { auto, ...rest } = evaluate(rows)
    expect(auto).toMatchObject({ n: 3, right: 1, precision: 1 / 3, share: 0.5 })
    expect(rest).toMatchObject({
      rows: 6,
      inKb: 4,
      recall: 0.25,
      candidateRecall: 0.75,
      precisionAt1: 0.25,
      precisionAt3: 0.75,
      falseOnAbsent: 0.5,
    })
    expect(rest.mrr).toBeCloseTo((1 + 1 / 2 + 1 / 3) / 4)
    expect(rest.f1).toBeCloseTo(2 / 7)
  })

  it('resolves merged items on both sides', () => {
    const merged = new Map([
      ['Q2', 'Q20'],
      ['Q9', 'Q20'],
    ])
    expect(evaluate(rows, merged).auto.right).toBe(2)
  })

  it('has no precision without a match', () => {
    expect(evaluate([row('Q1', null, ['Q1'])]).auto.precision).toBeNull()
    expect(evaluate([]).recall).toBe(0)
  })
})

describe("Wilson's interval", () => {
  it('is that of the textbook', () => {
    const { low, high } = wilsonInterval(9, 10)
    expect(low).toBeCloseTo(0.5958, 3)
    expect(high).toBeCloseTo(0.9821, 3)
  })

  it('is honest at the ends', () => {
    expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 })
    expect(wilsonInterval(10, 10).low).toBeLessThan(0.75)
  })
})

describe('the curve of thresholds', () => {
  it('matches less the higher it is, and never what a rule forbids', () => {
    const points = thresholdCurve(rows.map((one, at) => ({ ...one, vetoed: at === 0 })))
    const matched = points.map((point) => point.matched)
    expect(matched).toEqual(matched.toSorted((a, b) => b - a))
    expect(points.find(({ threshold }) => threshold === 50)?.matched).toBe(3)
    expect(points.find(({ threshold }) => threshold === 85)?.matched).toBe(0)
  })
})
