/** A record as a project's mapping sees it: its names, evidence and types. Pure text work, nothing leaves here. */
import { givenWikidataId, itemId } from './item-id.ts'
import type {
  ProjectSettings,
  PropertyKind,
  PropertyMapping,
  PropertyUse,
} from '../project-settings.ts'

export interface MappedProperty {
  readonly pid: string
  readonly kind: PropertyKind
  readonly use: PropertyUse
  /** How to read a date that could be read in two ways. */
  readonly dateFormat?: PropertyMapping['dateFormat']
  /** Trimmed, without blanks and repeats, in cell order. */
  readonly values: readonly string[]
  /** Agreement speaks for a candidate, anything else says nothing: an artist may be held as a painter. */
  readonly isHint?: boolean
}

export interface MappedRecord {
  /** Main name first, then variants; no blanks, no repeats. Empty when the record has no name. */
  readonly names: readonly string[]
  readonly types: readonly string[]
  readonly properties: readonly MappedProperty[]
  /** The item the record says it is about: to be verified, and never replaced by a match by name. */
  readonly givenItem?: string | undefined
}

/** Cells of one record by column name. */
export type Cells = Readonly<Record<string, string>>

// White space of all kinds, zero-width characters and the byte order mark: a cell of only these is blank.
const BLANK_EDGES = /^[\s\u200b-\u200f\u2060\ufeff]+|[\s\u200b-\u200f\u2060\ufeff]+$/gu
const TEMPLATE_COLUMN = /\{([^{}]+)\}/g
// What a template leaves at the edges when the cell beside it is blank: `{last}, {first}` without a first name.
const DANGLING = /^[\s,;/·–-]+|[\s,;/·–-]+$/gu

/** Applies a mapping to one record. */
export function mapRecord(cells: Cells, settings: ProjectSettings): MappedRecord {
  const { mapping } = settings
  const name = fillName(mapping.name, cells)
  const namedItem = givenWikidataId(name)
  const givenItem = itemToVerify(cells, settings) ?? namedItem
  const names = [
    namedItem === undefined ? name : '',
    ...mapping.variants.flatMap(({ column, separator }) => splitCell(cells, column, separator)),
  ]
  const properties = mapping.properties
    .map(({ pid, kind, use, columns, split, dateFormat }) => ({
      pid,
      kind,
      use,
      ...(dateFormat === undefined ? {} : { dateFormat }),
      values:
        columns.length > 1
          ? joinedCells(columns, cells)
          : distinct(splitCell(cells, columns[0] ?? '', split)),
    }))
    .filter((property) => property.values.length > 0)
  const ownTypes = ownTypesOf(cells, settings)
  return {
    names: distinct(names),
    types: ownTypes.length > 0 ? ownTypes : settings.types,
    properties,
    ...(givenItem === undefined ? {} : { givenItem }),
  }
}

/** The item of an earlier match that is to be asked for again; undefined for none, or where it is taken as judged. */
function itemToVerify(cells: Cells, { mapping, service }: ProjectSettings): string | undefined {
  if (mapping.earlier?.use !== 'verify') return undefined
  const text = cellText(cells, mapping.earlier.column)
  return text === '' ? undefined : itemId(text, service)
}

/** The columns a mapping reads, in no particular order, without repeats. */
export function mappedColumns(settings: ProjectSettings): readonly string[] {
  const { mapping } = settings
  return distinct([
    ...nameColumns(mapping.name),
    ...mapping.variants.map((variant) => variant.column),
    ...mapping.properties.flatMap((property) => property.columns),
    ...(mapping.typeColumn === undefined ? [] : [mapping.typeColumn]),
    ...(mapping.earlier === undefined ? [] : [mapping.earlier.column]),
  ])
}

/**
 * Canonical text of what a project reads of a record; its hash tells whether a decision or judgment saw the same.
 * Cells that are only kept (`use: keep`) do not count, nor do settings that say the same of every record.
 */
export function matchHashText(cells: Cells, settings: ProjectSettings): string {
  const record = mapRecord(cells, settings)
  const compared = record.properties
    .filter((property) => property.use !== 'keep')
    .map((property) => [property.pid, ...property.values])
  const given = record.givenItem === undefined ? [] : [record.givenItem]
  return JSON.stringify([record.names, ownTypesOf(cells, settings), compared, ...given])
}

/** A template names columns in braces; anything else is itself a column name. */
function nameColumns(name: string): readonly string[] {
  const inBraces = [...name.matchAll(TEMPLATE_COLUMN)].map((match) => match[1] ?? '')
  return inBraces.length > 0 ? inBraces : [name]
}

function fillName(name: string, cells: Cells): string {
  if (!name.includes('{')) return cellText(cells, name)
  const parts = nameColumns(name).map((column) => cellText(cells, column))
  if (parts.every((part) => part === '')) return ''
  const filled = name.replace(TEMPLATE_COLUMN, (_, column: string) => cellText(cells, column))
  const text = trimBlank(filled.replace(/\s+/gu, ' '))
  return parts.includes('') ? text.replace(DANGLING, '') : text
}

function splitCell(cells: Cells, column: string, separator?: string): readonly string[] {
  const text = cellText(cells, column)
  const parts = separator === undefined || separator === '' ? [text] : text.split(separator)
  return parts.map(trimBlank).filter((part) => part !== '')
}

function joinedCells(columns: readonly string[], cells: Cells): readonly string[] {
  const parts = columns.map((column) => cellText(cells, column))
  return parts.includes('') ? [] : [parts.join(',')]
}

function ownTypesOf(cells: Cells, { mapping }: ProjectSettings): readonly string[] {
  return mapping.typeColumn === undefined ? [] : splitCell(cells, mapping.typeColumn)
}

/** Trimmed; blank where the record has no such cell (`constructor` is a possible name of a column). */
function cellText(cells: Cells, column: string): string {
  return Object.hasOwn(cells, column) ? trimBlank(cells[column] ?? '') : ''
}

/** Removes white space of every kind from both ends. */
export function trimBlank(text: string): string {
  return text.replace(BLANK_EDGES, '')
}

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)].filter((value) => value !== '')
}
