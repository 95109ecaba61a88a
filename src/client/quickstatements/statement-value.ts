/**
 * Values in the grammar of QuickStatements version 1 (https://www.wikidata.org/wiki/Help:QuickStatements): columns
 * stand between tabs, a text between quotes; quotes within it stay as they are, since only the outer ones count.
 */
import { readCoordinates } from '../../core/matching/features/coordinates.ts'
import {
  type DateOrder,
  type DateValue,
  readDate,
} from '../../core/matching/features/date-value.ts'
import type { PropertyKind } from '../../core/project-settings.ts'
import { itemId } from '../../core/matching/item-id.ts'
import { writtenIdentifier } from './written-identifier.ts'

export type WrittenValue = { readonly value: string } | { readonly fault: string }

export interface ValueForm {
  readonly pid: string
  readonly kind: PropertyKind
  readonly dateOrder?: DateOrder | undefined
  /** Of a number: the item of its unit, `Q11573`; of a text: its language. */
  readonly detail?: string | undefined
}

/** Wikidata's limit for strings. */
const LONGEST_STRING = 1_500
const UNSURE_DATE = /^(?:c|ca|circa|about|um|vers)\b|\?\s*$/i
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/
/** A millionth of a degree is 11 cm. */
const COORDINATE_DIGITS = 6

const WRITERS: Readonly<Record<PropertyKind, (text: string, form: ValueForm) => WrittenValue>> = {
  date: (text, { dateOrder }) => writtenDate(text, dateOrder),
  id(text, { pid }) {
    const written = writtenIdentifier(pid, text)
    return 'fault' in written ? written : quoted(written.id)
  },
  url: (text) =>
    /^https?:\/\/[^\s/]+/i.test(text)
      ? quoted(text.replaceAll('|', '%7C'))
      : { fault: 'it is no address that begins with http:// or https://' },
  number: (text, { detail }) => writtenNumber(text, detail),
  coordinate: writtenCoordinates,
  item(text) {
    const id = itemId(text, 'wikidata')
    return id === undefined
      ? { fault: 'it is no item id like Q42 (a name cannot be written)' }
      : { value: id }
  },
  text: (text, { detail }) => quoted(text, detail),
}

/** @returns a fault, a clause that continues "the cell …", for what this kind of value cannot be */
export function writtenValue(text: string, form: ValueForm): WrittenValue {
  return WRITERS[form.kind](text, form)
}

/**
 * A text between quotes. White space and control characters are one space, as Wikidata keeps no other.
 * @param language makes it a monolingual text
 */
export function quoted(text: string, language?: string, longest = LONGEST_STRING): WrittenValue {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  if (Array.from(line).length > longest) return { fault: `it is longer than ${longest} characters` }
  // Version 3 of the tool takes it for a tab wherever it stands.
  if (line.includes('|')) return { fault: 'it has a "|", which divides columns in QuickStatements' }
  return { value: `${language === undefined ? '' : `${language}:`}"${line}"` }
}

function writtenDate(text: string, order: DateOrder | undefined): WrittenValue {
  if (UNSURE_DATE.test(text.trim())) return { fault: 'it is not exact, and would become exact' }
  const date = readDate(text, order)
  if (date === null) return { fault: 'it cannot be read as a date' }
  const { year, month = 0, day = 0 } = date
  if (!isInCalendar(date)) return { fault: 'there is no such day' }
  const precision = day > 0 ? 11 : month > 0 ? 10 : 9
  const sign = year < 0 ? '-' : '+'
  const parts = [pad(Math.abs(year), 4), pad(month, 2), pad(day, 2)]
  return { value: `${sign}${parts.join('-')}T00:00:00Z/${precision}` }
}

function isInCalendar({ year, month, day }: DateValue): boolean {
  if (month === undefined || day === undefined) return true
  // The 29th of February is let pass in every fourth year: old dates are of the Julian calendar.
  const february = year % 4 === 0 ? 29 : 28
  const lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  return day <= (lengths[month - 1] ?? 0)
}

function writtenNumber(text: string, unit: string | undefined): WrittenValue {
  const number = text.replace(/[\s_'’]/gu, '')
  if (!NUMBER.test(number)) {
    return { fault: 'it is no plain number such as 12000 or 1.5' }
  }
  return { value: `${number}${unit === undefined ? '' : unit.replace(/^Q/, 'U')}` }
}

function writtenCoordinates(text: string): WrittenValue {
  const point = readCoordinates(text)
  if (point === null) return { fault: 'it is no latitude and longitude in degrees' }
  return { value: `@${degrees(point.latitude)}/${degrees(point.longitude)}` }
}

function degrees(value: number): string {
  return String(Number(value.toFixed(COORDINATE_DIGITS)))
}

function pad(value: number, digits: number): string {
  return String(value).padStart(digits, '0')
}
