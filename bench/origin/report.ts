/** The table people read, as text or as Markdown, and the list programs read. */
import type { BenchOutput } from '../exit-code.ts'
import { meets, type Measure } from '../limiter/stories/story.ts'
import { goalText } from '../limiter/summary.ts'

export interface PlayedPart {
  readonly name: string
  readonly title: string
  readonly measures: readonly Measure[]
}

/** What `-o json` prints of each measure. */
export interface ReportLine {
  readonly name: string
  /** Null: it never came. */
  readonly value: number | null
  readonly goal: string | null
  readonly unit: string
  /** Null without a goal. */
  readonly ok: boolean | null
}

export function reportLines(played: readonly PlayedPart[]): readonly ReportLine[] {
  return played.flatMap(({ name, measures }) =>
    measures.map((measure) => ({
      name: `${name}: ${measure.name}`,
      value: Number.isFinite(measure.value) ? measure.value : null,
      goal: measure.goal === undefined ? null : goalText(measure.goal),
      unit: measure.unit,
      ok: measure.goal === undefined ? null : meets(measure.value, measure.goal),
    })),
  )
}

/** Prints what was measured on stdout. @returns the exit code: 1 when a goal is missed */
export function printReport(played: readonly PlayedPart[], output: BenchOutput): number {
  const lines = reportLines(played)
  process.stdout.write(
    output === 'json'
      ? `${JSON.stringify(lines, null, 2)}\n`
      : `${reportTable(played, output === 'markdown')}\n`,
  )
  return lines.some(({ ok }) => ok === false) ? 1 : 0
}

/** `steady: refused, of 1000: 1.2 (goal ≤ 2)`. */
export function lineText({ name, value, goal, unit }: ReportLine): string {
  const of = unit === '' ? '' : ` ${unit}`
  const wanted = goal === null ? '' : ` (goal ${goal})`
  return `${name}: ${value === null ? 'never' : shown(value)}${of}${wanted}`
}

type Row = readonly string[]

export function reportTable(played: readonly PlayedPart[], isMarkdown: boolean): string {
  const rows = played.flatMap(({ title, measures }) =>
    measures.map(({ name, value, unit, goal }, index): Row => {
      const mark = goal !== undefined && !meets(value, goal) ? ' ✗' : ''
      return [
        index === 0 ? title : '',
        unit === '' ? name : `${name}, ${unit}`,
        `${shown(value)}${mark}`,
        goal === undefined ? '' : goalText(goal),
      ]
    }),
  )
  const all: readonly Row[] = [['what happens', 'measure', 'measured', 'goal'], ...rows]
  const missed = reportLines(played).filter(({ ok }) => ok === false).length
  const verdict = missed === 0 ? 'All goals are met.' : `${missed} goals are missed (✗).`
  return `${isMarkdown ? markdown(all) : text(all)}\n\n${verdict}`
}

function shown(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toFixed(1))) : 'never'
}

function markdown([head = [], ...rows]: readonly Row[]): string {
  const line = (cells: Row): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function text(rows: readonly Row[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
