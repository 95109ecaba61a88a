/** The tables people read (as Markdown: those of docs/limits.md), and the list programs read. */
import type { StrategyName } from '../../src/core/limiter/policy.ts'
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

/** Named as the measures are. */
const columns: readonly { readonly name: string; readonly unit?: string }[] = [
  { name: 'use', unit: '%' },
  { name: 'refused per 1000' },
  { name: 'refused per 15 min' },
  { name: 'to 90 %', unit: 's' },
  { name: 'to 95 %', unit: 's' },
  { name: 'Jain projects' },
  { name: 'Jain workers' },
  { name: 'updates per hour' },
]

export function reportTables(summaries: readonly Summary[], isMarkdown: boolean): string {
  const render = isMarkdown ? markdown : text
  const isOrigin = ({ story }: Summary): boolean => originStories.some(({ name }) => name === story)
  const origins = summaries.filter(isOrigin)
  const events = summaries.filter((summary) => !isOrigin(summary))
  const missed = reportLines(summaries).filter(({ ok }) => ok === false)
  const tables = [
    origins.length > 0 ? render(withoutEmpty(originRows(origins))) : '',
    events.length > 0 ? render(withoutEmpty(eventRows(events))) : '',
    missed.length === 0 ? 'All goals are met.' : `${missed.length} goals are missed (✗).`,
  ]
  return tables.filter((table) => table !== '').join('\n\n')
}

/**
 * Each cell: median (worst). What always holds has no column; it is shown where it did not. Strategies that
 * were played beside `adaptive` are columns of its row: use / refused per 1000.
 */
function originRows(summaries: readonly Summary[]): readonly Row[] {
  const head = [
    'origin',
    'strategy',
    ...columns.map(({ name, unit }) => labelled(name, unit)),
    'other',
    'own `aimd`',
    'own `multiplier`',
    'AIMD',
    'mild AIMD',
    'CUBIC',
    'prototype',
  ]
  const mains = summaries.filter((one) => one === mainOf(summaries, one.story))
  const rows = mains.map((main): Row => {
    const { story, title, strategy, measures } = main
    const cells = columns.map(({ name }) => {
      const measure = measures.find((other) => other.name === name)
      return measure === undefined ? '' : cell(measure)
    })
    const isColumn = (name: string): boolean => columns.some((column) => column.name === name)
    const others = measures.filter(({ name, ok }) => !isColumn(name) && ok === false)
    const beside = summaries.filter((one) => one.story === story && one !== main)
    const peers = strategy === 'adaptive' ? peersOf(story) : undefined
    return [
      `${story.split('+')[0]} ${title}`,
      shownStrategy(strategy),
      ...cells,
      others.map((measure) => `${measure.name} ${cell(measure)}`).join(', '),
      ownPeer(beside, 'aimd'),
      ownPeer(beside, 'multiplier'),
      peers?.aimd ?? '',
      peers?.mildAimd ?? '',
      peers?.cubic ?? '',
      peers?.prototype ?? '',
    ]
  })
  return [head, ...rows]
}

function mainOf(summaries: readonly Summary[], story: string): Summary | undefined {
  const same = summaries.filter((one) => one.story === story)
  return same.find(({ strategy }) => strategy === 'adaptive') ?? same[0]
}

function ownPeer(summaries: readonly Summary[], strategy: StrategyName): string {
  const measures = summaries.find((one) => one.strategy === strategy)?.measures ?? []
  return ['use', 'refused per 1000']
    .flatMap((name) => measures.find((measure) => measure.name === name) ?? [])
    .map(({ value }) => shown(value))
    .join(' / ')
}

/** The default needs no name. */
function shownStrategy(strategy: StrategyName): string {
  return strategy === 'adaptive' ? '' : strategy
}

function eventRows(summaries: readonly Summary[]): readonly Row[] {
  const head = ['story', 'strategy', 'measure', 'median (worst)', 'goal', 'others']
  const rows = summaries.flatMap(({ title, strategy, measures }) =>
    measures
      .filter(({ goal, ok }) => goal?.isInvariant !== true || ok === false)
      .map((measure, index): Row => {
        const { name, unit, goal, peers = '' } = measure
        const label = index === 0 ? [title, shownStrategy(strategy)] : ['', '']
        const goalCell = goal === undefined || measure.ok === null ? '' : goalText(goal)
        return [...label, labelled(name, unit), cell(measure), goalCell, peers]
      }),
  )
  return [head, ...rows]
}

function labelled(name: string, unit = ''): string {
  return unit === '' ? name : `${name}, ${unit}`
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

/** Columns nothing is in are left out. */
function withoutEmpty(rows: readonly Row[]): readonly Row[] {
  const isUsed = (column: number): boolean => rows.slice(1).some((row) => row[column] !== '')
  return rows.map((row) => row.filter((_, column) => isUsed(column)))
}

function text(rows: readonly Row[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows
    .map((row) =>
      row
        .map((value, column) => value.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
