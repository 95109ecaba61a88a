import type { Evaluation } from '../../src/core/evaluation/evaluate.ts'
import type { Cause } from './causes.ts'
import type { GoldGoals } from './gold-sets.ts'

export interface GoldResult {
  readonly set: string
  /** `A` is the half the weights were fitted on, `B` the other. */
  readonly half: 'A' | 'B' | 'both'
  readonly evaluation: Evaluation
  readonly goals: GoldGoals
}

export interface PeerResult {
  readonly set: string
  readonly matcher: string
  readonly evaluation: Evaluation
}

/** One goal of one set: reached or missed. */
export interface GoalLine {
  readonly name: string
  readonly value: number
  readonly goal: number
  readonly ok: boolean
}

/** All goals of a result, the largest allowed share of false matches last. */
export function goalLines({ set, half, evaluation, goals }: GoldResult): readonly GoalLine[] {
  const { auto, recall, precisionAt1, candidateRecall, falseOnAbsent } = evaluation
  const atLeast = [
    ['precision', auto.precision ?? 0, goals.precision],
    ['recall', recall, goals.recall],
    ['first', precisionAt1, goals.first],
    ['candidates', candidateRecall, goals.candidates],
  ] as const
  const name = (what: string): string => `${set} ${half} ${what}`
  return [
    ...atLeast.map(([what, value, goal]) => ({ name: name(what), value, goal, ok: value >= goal })),
    {
      name: name('false on absent'),
      value: falseOnAbsent,
      goal: goals.falseOnAbsent,
      ok: falseOnAbsent <= goals.falseOnAbsent,
    },
  ]
}

const HEAD = [
  'set',
  'half',
  'rows',
  'automatic precision (95 %)',
  'automatic recall',
  'right first',
  'candidate recall',
  'false on absent',
] as const

/** The table of goals; a missed goal is marked with `!` and shown. */
export function goldTable(results: readonly GoldResult[]): string {
  return markdownTable(
    HEAD,
    results.map((result) => {
      const { evaluation } = result
      const cells = goalLines(result).map(({ value, goal, ok }) =>
        ok ? value.toFixed(3) : `${value.toFixed(3)} ! ${goal}`,
      )
      const [precision = '', ...others] = cells
      const { low, high } = evaluation.auto
      const withInterval = `${precision} (${low.toFixed(3)}–${high.toFixed(3)})`
      return [result.set, result.half, String(evaluation.rows), withInterval, ...others]
    }),
  )
}

export function peerTable(results: readonly PeerResult[]): string {
  return markdownTable(
    ['set', 'matcher', 'precision', 'recall', 'F1', 'right first', 'false on absent'],
    results.map(({ set, matcher, evaluation }) => [
      set,
      matcher,
      (evaluation.auto.precision ?? 0).toFixed(3),
      evaluation.recall.toFixed(3),
      evaluation.f1.toFixed(3),
      evaluation.precisionAt1.toFixed(3),
      evaluation.falseOnAbsent.toFixed(3),
    ]),
  )
}

export function causeTable(set: string, causes: readonly Cause[]): string {
  return markdownTable(
    [`what is missed in ${set}`, 'rows'],
    causes.map(({ cause, rows }) => [cause, String(rows)]),
  )
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
