import { counted } from '../../core/counted.ts'
import type { Evaluation } from '../../core/evaluation/evaluate.ts'
import { fileSource } from '../../tabular/byte-source.ts'
import { withCommandContext } from '../command-context.ts'
import type { EvaluateFlags } from '../commands/evaluate.ts'
import { refuseOtherFiles } from '../export/earlier-export.ts'
import { formatOfEnding } from '../export/format-of-ending.ts'
import { knownProject } from '../known-project.ts'
import { printAnswer, say, tableText } from '../output.ts'
import { fileSink } from '../text-sink.ts'
import { curveSvg } from './curve-svg.ts'
import { evaluateProject, type ProjectEvaluation, type WrongEntry } from './evaluate-project.ts'
import { readGold } from './read-gold.ts'

/** The command `evaluate`. */
export async function runEvaluate(flags: EvaluateFlags): Promise<void> {
  const source = await fileSource(flags.gold)
  if (flags.plot !== undefined) formatOfEnding(flags.plot, ['svg'])
  if (flags.plot !== undefined && flags.force !== true) await refuseOtherFiles(flags.plot, '<svg')
  await withCommandContext(async ({ db }) => {
    const project = await knownProject(db, flags.project)
    const gold = await readGold(source, project.settings.service)
    const result = await evaluateProject(db, project, gold)
    const { evaluation, curve, wrong, undecided } = result
    if (flags.plot !== undefined) {
      const sink = await fileSink(flags.plot)
      await sink.write(curveSvg(curve, `Project ${project.id}: ${project.name}`))
      await sink.finish()
      say(`Plot: ${flags.plot}`)
    }
    if (undecided > 0)
      say(
        `${counted(undecided, 'row of the gold file has', 'rows of the gold file have')} no decision in this project.`,
      )
    const shown = wrong.slice(0, flags.errors)
    printAnswer(flags.output, { ...evaluation, undecided, curve, errors: shown }, () =>
      [
        ...evaluationLines(evaluation),
        '',
        ...curveLines(result),
        ...errorLines(shown, wrong.length),
      ].join('\n'),
    )
  })
}

function evaluationLines(evaluation: Evaluation): readonly string[] {
  const { auto, rows, inKb } = evaluation
  const share = (value: number | null): string => (value === null ? '–' : value.toFixed(3))
  const lines: readonly (readonly [string, string])[] = [
    ['records', `${rows}, ${inKb} of them with an item`],
    ['matched automatically', `${auto.n} (${share(auto.share)})`],
    ['precision', `${share(auto.precision)} (95 %: ${share(auto.low)} to ${share(auto.high)})`],
    ['recall', share(evaluation.recall)],
    ['F1', share(evaluation.f1)],
    ['among the candidates', share(evaluation.candidateRecall)],
    [
      'first, in the first 3, 5',
      [evaluation.precisionAt1, evaluation.precisionAt3, evaluation.precisionAt5]
        .map(share)
        .join(', '),
    ],
    ['mean reciprocal rank', share(evaluation.mrr)],
    ['matched without an item', share(evaluation.falseOnAbsent)],
  ]
  return lines.map(([name, value]) => `${name.padEnd(26)}${value}`)
}

function curveLines({ curve }: ProjectEvaluation): readonly string[] {
  const share = (value: number | null): string => (value === null ? '' : value.toFixed(3))
  return [
    tableText(
      ['threshold', 'matched', 'precision', 'recall', 'F1', 'without an item'],
      curve.map((point) => [
        point.threshold,
        point.matched,
        share(point.precision),
        share(point.recall),
        share(point.f1),
        share(point.falseOnAbsent),
      ]),
    ),
  ]
}

function errorLines(shown: readonly WrongEntry[], total: number): readonly string[] {
  if (shown.length === 0) return []
  return [
    '',
    `${shown.length} of ${counted(total, 'record')} decided otherwise:`,
    ...shown.flatMap(({ id, expected, matched, place, reason, features }) => [
      `${id}: ${expected ?? 'no item'}, ${outcome(matched)}${placeOf(expected, place)}`,
      `  ${reason}`,
      ...features.map((feature) => `  ${feature}`),
    ]),
  ]
}

function outcome(matched: string | null): string {
  return matched === null ? 'not matched' : `matched ${matched}`
}

function placeOf(expected: string | null, place: number | null): string {
  if (expected === null) return ''
  return place === null ? ', not among the candidates' : `, candidate ${place}`
}
