import { type Cells, mapRecord, trimBlank } from '../../core/matching/mapped-record.ts'
import type { ProjectSettings } from '../../core/project-settings.ts'
import type { SourcePlan, StatementPlan } from './statement-flags.ts'
import { quoted, writtenValue } from './statement-value.ts'

/** A value that has no form in QuickStatements. */
export interface StatementFault {
  /** Id of the record. */
  readonly record: string
  /** Property, or `label`; null: the record as a whole. */
  readonly property: string | null
  readonly column: string | null
  /** A clause about the cell, without its text. */
  readonly reason: string
}

export interface StatementPlans {
  readonly statements: readonly StatementPlan[]
  readonly sources: readonly SourcePlan[]
}

export interface RecordStatements {
  /** Without the item in front: property, value, sources. */
  readonly tails: readonly string[]
  readonly faults: readonly StatementFault[]
  /** Source properties whose cell was blank: the statements stand without that part. */
  readonly blankSources: readonly string[]
}

/** Wikidata's limit for labels. */
const LONGEST_LABEL = 250

/** The statements of one record, in the order of the flags. A source that cannot be written takes its statements along. */
export function recordStatements(
  record: string,
  cells: Cells,
  settings: ProjectSettings,
  { statements, sources }: StatementPlans,
): RecordStatements {
  const faults: StatementFault[] = []
  const blankSources: string[] = []
  const sourceParts = sources.flatMap((source) => {
    if (source.from === 'literal') return [sourceText(source.pid, source.value)]
    const read = readValues(record, cells, settings, source)
    faults.push(...read.faults)
    if (read.values.length === 0 && read.faults.length === 0) blankSources.push(source.pid)
    return read.values.map((value) => sourceText(source.pid, value))
  })
  if (faults.length > 0) return { tails: [], faults, blankSources: [] }
  const tails = statements.flatMap((plan) => {
    const read = readValues(record, cells, settings, plan)
    faults.push(...read.faults)
    return read.values.map((value) => [plan.pid, value, ...sourceParts].join('\t'))
  })
  return { tails: [...new Set(tails)], faults, blankSources: tails.length > 0 ? blankSources : [] }
}

/** The first lines of a new item. */
export function newItemLines(
  record: string,
  cells: Cells,
  settings: ProjectSettings,
): { readonly lines: readonly string[] } | { readonly fault: StatementFault } {
  const [name] = mapRecord(cells, settings).names
  const fault = (reason: string) => ({
    fault: { record, property: 'label', column: settings.mapping.name, reason },
  })
  if (name === undefined) return fault('a new item needs a label, and the record has no name')
  const label = quoted(name, undefined, LONGEST_LABEL)
  if ('fault' in label) return fault(label.fault)
  const language = (settings.languages[0] ?? 'en').toLowerCase()
  return { lines: ['CREATE', `LAST\tL${language}\t${label.value}`] }
}

function readValues(
  record: string,
  cells: Cells,
  settings: ProjectSettings,
  plan: StatementPlan,
): { readonly values: readonly string[]; readonly faults: readonly StatementFault[] } {
  const { pid, kind, columns, split } = plan
  const fault = (reason: string): StatementFault => ({
    record,
    property: pid,
    column: columns.join(','),
    reason,
  })
  const blank = columns.filter((column) => trimBlank(cells[column] ?? '') === '')
  if (blank.length === columns.length) return { values: [], faults: [] }
  if (blank.length > 0) return { values: [], faults: [fault(`${blank.join(',')} is blank`)] }
  const property = { pid, kind, use: 'keep', columns, split } as const
  const mapping = { ...settings.mapping, properties: [property] }
  const texts = mapRecord(cells, { ...settings, mapping }).properties[0]?.values ?? []
  const written = texts.map((text) => writtenValue(text, plan))
  return {
    values: written.flatMap((one) => ('value' in one ? [one.value] : [])),
    faults: written.flatMap((one) => ('fault' in one ? [fault(one.fault)] : [])),
  }
}

function sourceText(pid: string, value: string): string {
  return `S${pid.slice(1)}\t${value}`
}
