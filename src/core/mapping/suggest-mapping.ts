/**
 * What the columns of a file probably are, by their names and their first cells. Only a proposal: a person sees it, with
 * the reason of each, before anything is read by it.
 */
import { findKnownProperties, namedBy, propertyNames } from '../known-properties.ts'
import { givenWikidataId } from '../matching/item-id.ts'
import type { EntityKind } from '../project-settings.ts'
import { detectSeparator } from './detect-separator.ts'

export const columnRoles = ['skip', 'id', 'name', 'variant', 'property', 'earlier'] as const
export type ColumnRole = (typeof columnRoles)[number]

export interface ColumnLook {
  readonly column: string
  /** Its first cells, blank ones too. */
  readonly cells: readonly string[]
}

export interface SuggestedColumn {
  readonly column: string
  readonly role: ColumnRole
  /** Of a property; else ''. */
  readonly pid: string
  /** Between several values of a cell; '' for one value. */
  readonly separator: string
  /** Why, for people; '' where nothing speaks for anything. */
  readonly why: string
}

export interface SuggestedMapping {
  readonly columns: readonly SuggestedColumn[]
  readonly kind: EntityKind
}

// Equal to one of them, whatever the case and whatever stands between the words.
const NAMES = ['name', 'full name', 'display name', 'label', 'naam', 'nom', 'nombre', 'title']
const NAME_PARTS = ['first name', 'given name', 'forename', 'last name', 'family name', 'surname']
const OTHER_NAMES = [
  'alias',
  'aliases',
  'variant',
  'variants',
  'other names',
  'alternative names',
  'aka',
  'alt label',
  'alt labels',
  'synonyms',
  'short name',
  'original name',
  'brand',
  'trade name',
]
const IDS = ['id', 'identifier', 'key', 'code', 'number', 'nr', 'no', 'uid', 'uuid', 'record id']
const COORDINATES = ['lat', 'lon', 'lng', 'long', 'latitude', 'longitude']
const EARLIER = ['qid', 'wikidata', 'wikidata id', 'wikidata qid', 'wikidata item', 'item']

/** So many of the cells that are not blank must be items. */
const ITEMS_SHARE = 0.8
/** Countries come again and again, what a record is about does not. */
const DISTINCT_SHARE = 0.9

const KINDS: readonly (readonly [EntityKind, readonly string[]])[] = [
  ['person', ['P569', 'P570', 'P19', 'P20', 'P21', 'P27', 'P106', 'P735', 'P734', 'P496']],
  ['work', ['P50', 'P577', 'P170', 'P212', 'P957', 'P356', 'P123']],
  ['organisation', ['P571', 'P159', 'P749', 'P127', 'P452', 'P856', 'P1278']],
  ['place', ['P625', 'P1082', 'P2044', 'P131']],
]

export function suggestMapping(looks: readonly ColumnLook[]): SuggestedMapping {
  const first = looks.map(suggestColumn)
  const columns = withName(withOneId(withOneEarlier(first), looks), looks)
  const pids = new Set(columns.map(({ pid }) => pid).filter((pid) => pid !== ''))
  const kind = KINDS.find(([, of]) => of.some((pid) => pids.has(pid)))?.[0] ?? 'generic'
  return { columns, kind: columns.some(isNamePart) ? 'person' : kind }
}

function suggestColumn({ column, cells }: ColumnLook): SuggestedColumn {
  const words = spacedWords(column)
  const separator = detectSeparator(cells)
  const is = (called: readonly string[]) => namedBy(words, called) === 4
  const filled = cells.filter((cell) => cell.trim() !== '')
  const items = filled.filter((cell) => givenWikidataId(cell.trim()) !== undefined)
  const hasItems = filled.length > 0 && items.length >= ITEMS_SHARE * filled.length
  const [property] = findKnownProperties(words)
  const isProperty = property !== undefined && is(propertyNames(property.id))
  const isNearlyDistinct = new Set(filled).size >= DISTINCT_SHARE * filled.length
  if (hasItems && (is(EARLIER) || (!isProperty && isNearlyDistinct))) {
    return { column, role: 'earlier', pid: '', separator: '', why: 'its cells are items' }
  }
  if (is(EARLIER)) return { column, role: 'skip', pid: '', separator: '', why: '' }
  if (is(NAME_PARTS)) return { column, role: 'name', pid: '', separator: '', why: 'part of a name' }
  if (is(NAMES)) return { column, role: 'name', pid: '', separator: '', why: 'named so' }
  if (is(OTHER_NAMES)) return { column, role: 'variant', pid: '', separator, why: 'named so' }
  if (is(COORDINATES)) {
    return { column, role: 'property', pid: 'P625', separator: '', why: 'half of a coordinate' }
  }
  if (is(IDS)) return { column, role: 'id', pid: '', separator: '', why: 'named so, none twice' }
  if (isProperty) {
    const why = `named like “${property.name}”`
    return { column, role: 'property', pid: property.id, separator, why }
  }
  return { column, role: 'skip', pid: '', separator: '', why: '' }
}

/** A record has one item. Of several columns the one that is named so is it, else the first. */
function withOneEarlier(columns: readonly SuggestedColumn[]): readonly SuggestedColumn[] {
  const isEarlier = ({ role }: SuggestedColumn) => role === 'earlier'
  const named = columns.findIndex(
    (one) => isEarlier(one) && namedBy(spacedWords(one.column), EARLIER) === 4,
  )
  const kept = named === -1 ? columns.findIndex(isEarlier) : named
  return columns.map((one, at) =>
    isEarlier(one) && at !== kept ? { ...one, role: 'skip', why: '' } : one,
  )
}

/** An id tells all records apart. Without a column that is named so, the first one that does, before the name. */
function withOneId(
  columns: readonly SuggestedColumn[],
  looks: readonly ColumnLook[],
): readonly SuggestedColumn[] {
  const tellsApart = (at: number) => {
    const cells = looks[at]?.cells ?? []
    return cells.length > 0 && cells.every((cell) => cell !== '') && isDistinct(cells)
  }
  const named = columns.findIndex(({ role }, at) => role === 'id' && tellsApart(at))
  const begins = columns[0]?.role === 'skip' && tellsApart(0) && hasDigits(looks[0]) ? 0 : -1
  const id = named === -1 ? begins : named
  return columns.map((one, at) => {
    if (at === id) return { ...one, role: 'id', why: one.why || 'none of its cells comes twice' }
    return one.role === 'id' ? { ...one, role: 'skip', why: '' } : one
  })
}

/** Of several names the first is the name; without any, the first column of words. */
function withName(
  columns: readonly SuggestedColumn[],
  looks: readonly ColumnLook[],
): readonly SuggestedColumn[] {
  const whole = columns.findIndex((one) => one.role === 'name' && !isNamePart(one))
  if (whole !== -1) {
    return columns.map((one, at) =>
      one.role !== 'name' || at === whole
        ? one
        : { ...one, role: isNamePart(one) ? 'skip' : 'variant', why: 'another name' },
    )
  }
  if (columns.some(isNamePart)) return columns
  const wordy = columns.findIndex(
    (one, at) =>
      one.role === 'skip' && (looks[at]?.cells ?? []).some((cell) => /\p{L}/u.test(cell)),
  )
  return columns.map((one, at) =>
    at === wordy ? { ...one, role: 'name', why: 'the first column of words' } : one,
  )
}

function isNamePart({ role, column }: SuggestedColumn): boolean {
  return role === 'name' && namedBy(spacedWords(column), NAME_PARTS) === 4
}

function isDistinct(cells: readonly string[]): boolean {
  return new Set(cells).size === cells.length
}

function hasDigits(look: ColumnLook | undefined): boolean {
  return (look?.cells ?? []).every((cell) => /\d/.test(cell))
}

/** `birthDate`, `birth_date` and `birth-date` are two words. */
function spacedWords(column: string): string {
  return column
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/[_.\-/:]+/g, ' ')
    .trim()
}
