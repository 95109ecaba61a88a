/**
 * Values of an item's statements (https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html). Of each property
 * the best rank counts: preferred where there is one, else normal, never deprecated. `novalue` and `somevalue` have no
 * value: they are unknown, not different.
 */
import { field, isJsonObject, type JsonObject } from '../tolerant-json.ts'
import { gregorianDay } from '../../core/julian-calendar.ts'
import type { HeldValue } from '../../core/matching/candidate.ts'

/** An item with thousands of values of one property is compared by the first. */
const MOST_VALUES = 100
/** Precisions of a date: 9 is a year, 10 a month, 11 a day. */
const YEAR = 9
const MONTH = 10
const DAY = 11
const JULIAN = /\/Q1985786$/

/** `both`: a day of the Julian calendar comes with the one of ours that it is, for records may have either. */
type Calendars = 'as_stated' | 'both'

/** @param claims the entity's `claims`: property id → statements */
export function statementValues(
  claims: unknown,
  pids: readonly string[],
  calendars: Calendars = 'as_stated',
): Readonly<Record<string, readonly HeldValue[]>> {
  if (!isJsonObject(claims)) return {}
  const entries = pids.flatMap((pid): [string, readonly HeldValue[]][] => {
    const statements = field(claims, pid)
    if (!Array.isArray(statements)) return []
    const values = bestRank(statements.filter(isJsonObject)).flatMap((one) =>
      valuesOf(one, calendars),
    )
    return values.length === 0 ? [] : [[pid, distinct(values).slice(0, MOST_VALUES)]]
  })
  return Object.fromEntries(entries)
}

function bestRank(statements: readonly JsonObject[]): readonly JsonObject[] {
  const preferred = statements.filter((statement) => field(statement, 'rank') === 'preferred')
  if (preferred.length > 0) return preferred
  return statements.filter((statement) => field(statement, 'rank') !== 'deprecated')
}

function valuesOf(statement: JsonObject, calendars: Calendars): readonly HeldValue[] {
  const snak = field(statement, 'mainsnak')
  if (!isJsonObject(snak) || field(snak, 'snaktype') !== 'value') return []
  const data = field(snak, 'datavalue')
  if (!isJsonObject(data)) return []
  const value = field(data, 'value')
  const read = readValue(field(data, 'type'), value)
  if (read === undefined) return []
  return typeof read === 'string' && calendars === 'both' ? inBothCalendars(read, value) : [read]
}

function inBothCalendars(read: string, value: unknown): readonly string[] {
  const model = isJsonObject(value) ? readText(field(value, 'calendarmodel')) : undefined
  const parts = /^(\d{4,6})-(\d\d)-(\d\d)$/.exec(read)?.slice(1).map(Number)
  if (parts === undefined || model === undefined || !JULIAN.test(model)) return [read]
  const [year = 0, month = 0, day = 0] = parts
  const [ourYear, ...ourMonthAndDay] = gregorianDay(year, month, day)
  const twoDigits = ourMonthAndDay.map((part) => String(part).padStart(2, '0'))
  return [read, [String(ourYear).padStart(4, '0'), ...twoDigits].join('-')]
}

function readValue(type: unknown, value: unknown): HeldValue | undefined {
  if (typeof value === 'string') return value
  if (!isJsonObject(value)) return undefined
  switch (type) {
    case 'wikibase-entityid':
      return readEntityId(value)
    case 'time':
      return readTime(value)
    case 'globecoordinate':
      return readCoordinate(value)
    case 'quantity':
      return readText(field(value, 'amount'))?.replace(/^\+/, '')
    case 'monolingualtext':
      return readText(field(value, 'text'))
    default:
      return undefined
  }
}

function readEntityId(value: JsonObject): HeldValue | undefined {
  const id = readText(field(value, 'id'))
  if (id !== undefined) return { id }
  // Older data has the number only.
  const number = field(value, 'numeric-id')
  return field(value, 'entity-type') === 'item' && typeof number === 'number'
    ? { id: `Q${number}` }
    : undefined
}

/** `1943`, `1943-06` or `1943-06-17`, as precise as it is known; a decade or less is no date to compare. */
function readTime(value: JsonObject): string | undefined {
  const parts = /^([+-]?)(\d{1,16})-(\d\d)-(\d\d)T/.exec(readText(field(value, 'time')) ?? '')
  const precision = field(value, 'precision')
  if (parts === null || typeof precision !== 'number' || precision < YEAR) return undefined
  const [, sign = '', digits = '', month = '00', day = '00'] = parts
  const year = `${sign === '-' ? '-' : ''}${digits.replace(/^0+(?=\d{4})/, '')}`
  if (precision === YEAR || month === '00') return year
  if (precision === MONTH || day === '00') return `${year}-${month}`
  return precision >= DAY ? `${year}-${month}-${day}` : undefined
}

function readCoordinate(value: JsonObject): string | undefined {
  const latitude = field(value, 'latitude')
  const longitude = field(value, 'longitude')
  const globe = readText(field(value, 'globe')) ?? ''
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined
  // A crater on the Moon has coordinates too. Q2 is the Earth.
  return globe === '' || globe.endsWith('/Q2') ? `${latitude},${longitude}` : undefined
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function distinct(values: readonly HeldValue[]): readonly HeldValue[] {
  const seen = new Set<string>()
  return values.filter((value) => {
    const key = typeof value === 'string' ? `=${value}` : value.id
    return !seen.has(key) && seen.add(key)
  })
}
