/** Candidates side by side, a column each: what they are, then feature by feature. */
import type { FeatureShare } from '../../core/matching/score-shares.ts'
import { tableText } from '../output.ts'
import type { ExplainedCandidate } from './explain-entry.ts'

/** More would tear a table apart on a terminal. */
const LONGEST_CELL = 36

type Row = readonly (string | number | null)[]

/** @param prior odds before anything was compared, in bits; null: not known any more */
export function candidateTable(
  candidates: readonly ExplainedCandidate[],
  prior: number | null,
): string {
  const each = (cell: (candidate: ExplainedCandidate) => string | number | null): Row =>
    candidates.map(cell).map((text) => (typeof text === 'string' ? shortened(text) : text))
  const vetoes: readonly Row[] = candidates.some(({ veto }) => veto !== null)
    ? [['veto', '', ...each(({ veto }) => veto)]]
    : []
  return tableText(
    ['', 'record', ...candidates.map(({ id }) => id)],
    [
      ['label', '', ...each(({ label }) => label)],
      ['described as', '', ...each(({ description }) => description)],
      ...(candidates.some(({ foundAs }) => foundAs !== undefined)
        ? [['merged from', '', ...each(({ foundAs = [] }) => foundAs.join(', '))]]
        : []),
      ...featureRows(candidates),
      ...(prior === null ? [] : [['before', 'any comparing', ...each(() => bitsText(prior))]]),
      ...vetoes,
      ['score', '', ...each(({ score }) => score)],
    ],
  )
}

/** Two rows a feature: the values, and how they compare. A property that is mapped twice has two. */
function featureRows(candidates: readonly ExplainedCandidate[]): readonly Row[] {
  const columns = candidates.map(({ features }) => byKey(features))
  const keys = [...new Set(columns.flatMap((column) => [...column.keys()]))]
  return keys.flatMap((key): readonly Row[] => {
    const cells = columns.map((column) => column.get(key))
    const first = cells.find((cell) => cell !== undefined)
    return [
      [
        first?.feature ?? key,
        shortened(first?.record ?? ''),
        ...cells.map((cell) => shortened(cell?.candidate ?? '')),
      ],
      ['', '', ...cells.map((cell) => (cell === undefined ? '' : verdictText(cell)))],
    ]
  })
}

function byKey(features: readonly FeatureShare[]): ReadonlyMap<string, FeatureShare> {
  const keyed = new Map<string, FeatureShare>()
  for (const feature of features) {
    let key = feature.feature
    for (let again = 2; keyed.has(key); again += 1) key = `${feature.feature} ${again}`
    keyed.set(key, feature)
  }
  return keyed
}

/** `agree (equal) +7.9, 61 %`; what is unknown weighs nothing. */
function verdictText({ verdict, how, weight, share }: FeatureShare): string {
  const why = how === '' ? '' : ` (${how})`
  return verdict === 'unknown' && weight === 0
    ? 'unknown'
    : `${verdict}${why} ${bitsText(weight)}, ${Math.abs(share)} %`
}

function bitsText(bits: number): string {
  return `${bits < 0 ? '−' : '+'}${Math.abs(bits).toFixed(1)}`
}

function shortened(text: string): string {
  const letters = Array.from(text)
  return letters.length <= LONGEST_CELL ? text : `${letters.slice(0, LONGEST_CELL - 1).join('')}…`
}
