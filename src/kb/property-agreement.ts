/** How far a value asked for agrees with a value stored: 0 (differs) to 1 (agrees). By the property's kind and the look of the values. */
import { comparableIdentifier, isIdentifierProperty } from '../core/identifiers/plain-identifier.ts'
import { agreeingForm, nameForms } from '../core/names/normalize-name.ts'
import { tokenSortRatio } from '../core/names/similarity.ts'
import type { KbValue } from './kb-item.ts'

const DATE = /^\+?(-?\d{4})(?:-(\d\d)(?:-(\d\d))?)?(?:T.*)?$/
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/
const COORDINATE = /^(-?\d{1,2}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)$/
const WEB_ADDRESS = /^https?:\/\/(?:www\.)?([^/?#]+)([^?#]*)/i
const SAME_SITE = 0.9
const NEXT_YEAR = 0.5
const LEAST_LIKE_TEXT = 0.8
// Agreement falls from 1 at equal numbers to 0 at a tenth apart, and from 1 at one place to 0 at this distance.
const NUMBER_TOLERANCE = 0.1
const DISTANCE_TOLERANCE_KM = 25

/** The best agreement of any value asked for with any value stored. Neither list may be empty. */
export function propertyAgreement(
  pid: string,
  asked: readonly KbValue[],
  stored: readonly KbValue[],
): number {
  if (isIdentifierProperty(pid)) return identifierAgreement(pid, asked, stored)
  return Math.max(...asked.flatMap((one) => stored.map((other) => valueAgreement(one, other))))
}

/** The next number is another identifier. */
function identifierAgreement(
  pid: string,
  asked: readonly KbValue[],
  stored: readonly KbValue[],
): number {
  const comparable = (values: readonly KbValue[]) =>
    values
      .flatMap(textsOf)
      .map((text) => comparableIdentifier(pid, text))
      .filter((id) => id !== null)
  const known = new Set(comparable(stored))
  return comparable(asked).some((id) => known.has(id)) ? 1 : 0
}

function valueAgreement(asked: KbValue, stored: KbValue): number {
  if (typeof asked !== 'string' && typeof stored !== 'string') return asked.id === stored.id ? 1 : 0
  const [left, right] = [textsOf(asked), textsOf(stored)]
  return Math.max(...left.flatMap((one) => right.map((other) => textAgreement(one, other))))
}

/** An entity may be meant by its id or by its name. */
function textsOf(value: KbValue): readonly string[] {
  if (typeof value === 'string') return [value.trim()]
  return value.name === undefined ? [value.id] : [value.id, value.name]
}

function textAgreement(asked: string, stored: string): number {
  if (asked === stored) return 1
  const parsers = [dateAgreement, numberAgreement, coordinateAgreement, addressAgreement]
  for (const agreement of parsers) {
    const found = agreement(asked, stored)
    if (found !== null) return found
  }
  const [left, right] = [nameForms(asked), nameForms(stored)]
  const form = agreeingForm(left, right)
  if (form !== null && form !== 'd') return 1
  const ratio = tokenSortRatio(left.tokens, right.tokens)
  return ratio >= LEAST_LIKE_TEXT ? ratio : 0
}

/** Compares what both state: 1877 agrees with 1877-07-09, 1877-01-02 does not. */
function dateAgreement(asked: string, stored: string): number | null {
  const [left, right] = [DATE.exec(asked), DATE.exec(stored)]
  if (left === null || right === null) return null
  const years = Math.abs(Number(left[1]) - Number(right[1]))
  if (years > 0) return years === 1 ? NEXT_YEAR : 0
  for (const part of [2, 3]) {
    const [one, other] = [left[part] ?? '00', right[part] ?? '00']
    if (one === '00' || other === '00') return 1
    if (one !== other) return 0
  }
  return 1
}

function numberAgreement(asked: string, stored: string): number | null {
  if (!NUMBER.test(asked) || !NUMBER.test(stored)) return null
  const [one, other] = [Number(asked), Number(stored)]
  const largest = Math.max(Math.abs(one), Math.abs(other))
  return largest === 0 ? 1 : falling(Math.abs(one - other) / largest, NUMBER_TOLERANCE)
}

function coordinateAgreement(asked: string, stored: string): number | null {
  const [left, right] = [COORDINATE.exec(asked), COORDINATE.exec(stored)]
  if (left === null || right === null) return null
  const radians = [left[1], left[2], right[1], right[2]].map(
    (part) => (Number(part) * Math.PI) / 180,
  )
  const [latitude = 0, longitude = 0, otherLatitude = 0, otherLongitude = 0] = radians
  const haversine =
    Math.sin((latitude - otherLatitude) / 2) ** 2 +
    Math.cos(latitude) * Math.cos(otherLatitude) * Math.sin((longitude - otherLongitude) / 2) ** 2
  const earthRadiusKm = 6371
  return falling(2 * earthRadiusKm * Math.asin(Math.sqrt(haversine)), DISTANCE_TOLERANCE_KM)
}

function addressAgreement(asked: string, stored: string): number | null {
  const [left, right] = [WEB_ADDRESS.exec(asked), WEB_ADDRESS.exec(stored)]
  if (left === null || right === null) return null
  if (left[1]?.toLowerCase() !== right[1]?.toLowerCase()) return 0
  return withoutSlash(left[2]) === withoutSlash(right[2]) ? 1 : SAME_SITE
}

function withoutSlash(path: string | undefined): string {
  return (path ?? '').replace(/\/+$/, '')
}

function falling(difference: number, tolerance: number): number {
  return Math.max(0, 1 - difference / tolerance)
}
