/** A record as a project's mapping sees it: its names, evidence and types. Pure text work, nothing leaves here. */
import type { ProjectSettings, PropertyKind, PropertyUse } from '../project-settings.ts'

export interface MappedProperty {
  readonly pid: string
  readonly kind: PropertyKind
  readonly use: PropertyUse
  /** Trimmed, without blanks and repeats, in cell order. */
  readonly values: readonly string[]
}

export interface MappedRecord {
  /** Main name first, then variants; no blanks, no repeats. Empty when the record has no name. */
  readonly names: readonly string[]
  readonly types: readonly string[]
  readonly properties: readonly MappedProperty[]
}

/** Cells of one record by column name. */
export type Cells = Readonly<Record<string, string>>

// White space of all kinds, zero-width characters and the byte order mark: a cell of only these is blank.
const BLANK_EDGES = /^[\s\u200b-\u200f\u2060\ufeff]+|[\s\u200b-\u200f\u2060\ufeff]+$/gu
const TEMPLATE_COLUMN = /\{([^{}]+)\}/g

/** Applies a mapping to one record. */
export function mapRecord(cells: Cells, settings: ProjectSettings): MappedRecord {
  const { mapping } = settings
  const names = [
    fillName(mapping.name, cells),
    ...mapping.variants.flatMap((variant) => splitCell(cells[variant.column], variant.separator)),
  ]
  const properties = mapping.properties
    .map(({ pid, kind, use, columns, split }) => ({
      pid,
      kind,
      use,
      values:
        columns.length > 1
          ? joinedCells(columns, cells)
          : distinct(splitCell(cells[columns[0] ?? ''], split)),
    }))
    .filter((property) => property.values.length > 0)
  const rowTypes =
    mapping.typeColumn === undefined ? [] : splitCell(cells[mapping.typeColumn], undefined)
  return {
    names: distinct(names),
    types: rowTypes.length > 0 ? rowTypes : settings.types,
    properties,
  }
}

/** The columns a mapping reads, in no particular order, without repeats. */
export function mappedColumns(settings: ProjectSettings): readonly string[] {
  const { mapping } = settings
  return distinct([
    ...nameColumns(mapping.name),
    ...mapping.variants.map((variant) => variant.column),
    ...mapping.properties.flatMap((property) => property.columns),
    ...(mapping.typeColumn === undefined ? [] : [mapping.typeColumn]),
  ])
}

/**
 * Canonical text of what a project reads of a record; its hash tells whether a decision or judgment saw the same.
 * Cells that are only kept (`use: keep`) do not count.
 */
export function matchHashText(cells: Cells, settings: ProjectSettings): string {
  const record = mapRecord(cells, settings)
  const compared = record.properties
    .filter((property) => property.use !== 'keep')
    .map((property) => [property.pid, ...property.values])
  return JSON.stringify([record.names, record.types, compared])
}

/** A template names columns in braces; anything else is itself a column name. */
export function nameColumns(name: string): readonly string[] {
  const inBraces = [...name.matchAll(TEMPLATE_COLUMN)].map((match) => match[1] ?? '')
  return inBraces.length > 0 ? inBraces : [name]
}

function fillName(name: string, cells: Cells): string {
  if (!name.includes('{')) return trimBlank(cells[name] ?? '')
  const filled = name.replace(TEMPLATE_COLUMN, (_, column: string) => cells[column] ?? '')
  return trimBlank(filled.replace(/\s+/gu, ' '))
}

function splitCell(cell: string | undefined, separator: string | undefined): readonly string[] {
  const text = cell ?? ''
  const parts = separator === undefined || separator === '' ? [text] : text.split(separator)
  return parts.map(trimBlank).filter((part) => part !== '')
}

function joinedCells(columns: readonly string[], cells: Cells): readonly string[] {
  const parts = columns.map((column) => trimBlank(cells[column] ?? ''))
  return parts.some((part) => part === '') ? [] : [parts.join(',')]
}

/** Removes white space of every kind from both ends. */
export function trimBlank(text: string): string {
  return text.replace(BLANK_EDGES, '')
}

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)].filter((value) => value !== '')
}
