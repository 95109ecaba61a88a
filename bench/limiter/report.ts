/** The tables people read, as text or as Markdown, and the list programs read. */
import { peersOf } from './peers.ts'
import { originStories } from './stories/catalogue.ts'
import { goalText, type MeasureSummary, type Summary } from './summary.ts'

/** What `-o json` prints of each measure. */
export interface ReportLine {
  readonly name: string
  readonly value: number | null
  readonly worst: number | null
  readonly goal: string | null
  readonly unit: string
  readonly ok: boolean | null
}

/** Numbers that never came (Infinity) are null, as JSON has none. */
export function reportLines(summaries: readonly Summary[]): readonly ReportLine[] {
  return summaries.flatMap(({ story, strategy, measures }) =>
    measures.map(({ name, value, worst, goal, unit, ok }) => ({
      name: `${story} ${strategy}: ${name}`,
      value: Number.isFinite(value) ? value : null,
      worst: Number.isFinite(worst) ? worst : null,
      goal: goal === undefined ? null : goalText(goal),
      unit,
      ok,
    })),
  )
}

type Row = readonly string[]

const columns: readonly string[] = [
  'use',
  'refused per 1000',
  'refused per 15 min',
  'to 90 %',
  'to 95 %',
  'Jain projects',
  'Jain workers',
  'latency p95',
  'updates per hour',
]

export function reportTables(summaries: readonly Summary[], isMarkdown: boolean): string {
  const render = isMarkdown ? markdown : text
  const isOrigin = ({ story }: Summary): boolean => originStories.some(({ name }) => name === story)
  const origins = summaries.filter(isOrigin)
  const events = summaries.filter((summary) => !isOrigin(summary))
  const missed = reportLines(summaries).filter(({ ok }) => ok === false)
  const tables = [
    origins.length > 0 ? render(originRows(origins)) : '',
    events.length > 0 ? render(eventRows(events)) : '',
    missed.length === 0 ? 'All goals are met.' : `${missed.length} goals are missed (✗).`,
  ]
  return tables.filter((table) => table !== '').join('\n\n')
}

/** Each cell: median (worst). What always holds has no column; it is shown where it did not. */
function originRows(summaries: readonly Summary[]): readonly Row[] {
  const head = [
    'origin',
    'strategy',
    ...columns,
    'other',
    'AIMD',
    'mild AIMD',
    'CUBIC',
    'prototype',
  ]
  const rows = summaries.map(({ story, title, strategy, measures }): Row => {
    const cells = columns.map((name) => {
      const measure = measures.find((other) => other.name === name)
      return measure === undefined ? '' : cell(measure)
    })
    const others = measures.filter(({ name, ok }) => !columns.includes(name) && ok === false)
    const other = others.map((measure) => `${measure.name} ${cell(measure)}`).join(', ')
    const peers = strategy === 'adaptive' ? peersOf(story) : undefined
    const peerCells = [peers?.aimd, peers?.mildAimd, peers?.cubic, peers?.prototype]
    return [
      `${story.split('+')[0]} ${title}`,
      strategy,
      ...cells,
      other,
      ...peerCells.map((one) => one ?? ''),
    ]
  })
  return [head, ...rows]
}

function eventRows(summaries: readonly Summary[]): readonly Row[] {
  const head = ['story', 'strategy', 'measure', 'median (worst)', 'goal', 'others']
  const rows = summaries.flatMap(({ title, strategy, measures }) =>
    measures
      .filter(({ goal, ok }) => goal?.isInvariant !== true || ok === false)
      .map((measure, index): Row => {
        const { name, unit, goal, peers = '' } = measure
        const label = index === 0 ? [title, strategy] : ['', '']
        const goalCell = goal === undefined || measure.ok === null ? '' : goalText(goal)
        return [...label, unit === '' ? name : `${name}, ${unit}`, cell(measure), goalCell, peers]
      }),
  )
  return [head, ...rows]
}

function cell({ value, worst, ok }: MeasureSummary): string {
  return `${shown(value)} (${shown(worst)})${ok === false ? ' ✗' : ''}`
}

function shown(value: number): string {
  if (!Number.isFinite(value)) return 'never'
  if (Math.abs(value) >= 1_000) return String(Math.round(value))
  return String(Number(value.toFixed(Math.abs(value) < 1 ? 3 : 1)))
}

function markdown([head = [], ...rows]: readonly Row[]): string {
  const line = (cells: Row): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function text(rows: readonly Row[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  const used = widths.map((_, column) => rows.slice(1).some((row) => (row[column] ?? '') !== ''))
  return rows
    .map((row) =>
      row
        .map((value, column) =>
          used[column] === true ? `${value.padEnd(widths[column] ?? 0)}  ` : '',
        )
        .join('')
        .trimEnd(),
    )
    .join('\n')
}
