/**
 * How the values of a property compare, by the kind of the property. Each returns a key of the weights, or null where
 * one side cannot be read: then nothing is known.
 */
import type { HeldValue } from '../candidate.ts'
import { countriesIn } from '../country-words.ts'
import { comparableIdentifier } from '../../identifiers/plain-identifier.ts'
import { memo } from '../../memo.ts'
import { knownName } from '../../names/known-name.ts'
import { wordOverlap } from '../../names/word-overlap.ts'
import { distanceKm, readCoordinates } from './coordinates.ts'
import { readWebAddress } from './web-address.ts'

export type Agreement = 'agree' | 'partly' | 'disagree'

const REMEMBERED_VALUES = 10_000
const SAME_NUMBER = 0.01
const LIKE_NUMBER = 0.1
const LIKE_TEXT = 0.6
const ALL_OF_IT = 0.97
const COUNTRY_CODE = /^[a-z]{2}$/i
/** Largest distances, in km, of the levels of a place. */
const DISTANCES_KM = [2, 10, 50, 200] as const

export const coordinateLevels = ['2', '10', '50', '200', 'far'] as const
export type CoordinateLevel = (typeof coordinateLevels)[number]

export function coordinateLevel(
  record: readonly string[],
  held: readonly HeldValue[],
): CoordinateLevel | null {
  const [ours, theirs] = [
    readable(record, readCoordinates),
    readable(textsOf(held), readCoordinates),
  ]
  if (ours.length === 0 || theirs.length === 0) return null
  const km = Math.min(...ours.flatMap((one) => theirs.map((other) => distanceKm(one, other))))
  const within = DISTANCES_KM.findIndex((distance) => km <= distance)
  return coordinateLevels[within < 0 ? DISTANCES_KM.length : within] ?? 'far'
}

/** By what all spellings of an identifier have in common; a text that is none of this property says nothing. */
export function identifierAgreement(
  pid: string,
  record: readonly string[],
  held: readonly HeldValue[],
): Agreement | null {
  const comparable = (text: string) => comparableIdentifier(pid, text)
  const ours = readable(record, comparable)
  const theirs = new Set(readable(textsOf(held), comparable))
  if (ours.length === 0 || theirs.size === 0) return null
  return ours.some((id) => theirs.has(id)) ? 'agree' : 'disagree'
}

/** The same page agrees, another page of the same site in part. */
export function addressAgreement(
  record: readonly string[],
  held: readonly HeldValue[],
): Agreement | null {
  const [ours, theirs] = [readable(record, readWebAddress), readable(textsOf(held), readWebAddress)]
  if (ours.length === 0 || theirs.length === 0) return null
  const sameSite = ours
    .flatMap((one) => theirs.map((other) => [one, other] as const))
    .filter(([one, other]) => one.host === other.host)
  if (sameSite.length === 0) return 'disagree'
  return sameSite.some(([one, other]) => one.path === other.path) ? 'agree' : 'partly'
}

/** Within 1 % agrees, within 10 % in part. */
export function numberAgreement(
  record: readonly string[],
  held: readonly HeldValue[],
): Agreement | null {
  const [ours, theirs] = [readable(record, readNumber), readable(textsOf(held), readNumber)]
  if (ours.length === 0 || theirs.length === 0) return null
  const differences = ours.flatMap((one) => theirs.map((other) => relativeDifference(one, other)))
  const least = Math.min(...differences)
  return least <= SAME_NUMBER ? 'agree' : least <= LIKE_NUMBER ? 'partly' : 'disagree'
}

/** By code, English name or adjective: `US`, `American` and `United States` agree. */
export function countryAgreement(
  record: readonly string[],
  held: readonly HeldValue[],
): Agreement | null {
  const ours = new Set(record.flatMap(countryCodes))
  const theirs = new Set(textsOf(held).flatMap(countryCodes))
  if (ours.size === 0 || theirs.size === 0)
    return textAgreement(record, held) === 'agree' ? 'agree' : null
  return [...ours].some((code) => theirs.has(code)) ? 'agree' : 'disagree'
}

/** Names of places, classes and people, and plain words. An id agrees with the same id only. */
export function textAgreement(
  record: readonly string[],
  held: readonly HeldValue[],
): Agreement | null {
  if (record.length === 0 || held.length === 0) return null
  const ids = new Set(held.flatMap((value) => (typeof value === 'string' ? [] : [value.id])))
  if (record.some((value) => ids.has(value))) return 'agree'
  const theirs = namesOf(held).map(wordsOf)
  if (theirs.length === 0) return null
  let best = 0
  for (const one of record.map(wordsOf)) {
    for (const other of theirs) {
      const { both, left, right } = wordOverlap(one, other)
      best = Math.max(best, both, left >= ALL_OF_IT || right >= ALL_OF_IT ? LIKE_TEXT : 0)
    }
  }
  return best >= ALL_OF_IT ? 'agree' : best >= LIKE_TEXT ? 'partly' : 'disagree'
}

/** Codes of the countries whose names occur in a text. */
export const countriesWithin = memo(
  (text: string): readonly string[] => [...countriesIn(knownName(text).forms.tokens)],
  REMEMBERED_VALUES,
)

/** Codes of the countries a value names. */
export const countryCodes = memo((text: string): readonly string[] => {
  if (COUNTRY_CODE.test(text)) return [text.toUpperCase()]
  const inWords = countriesWithin(text)
  if (inWords.length > 0) return inWords
  const named = knownName(text).country
  return named === undefined ? [] : [named]
}, REMEMBERED_VALUES)

/** A value as text; an entity by name, else by id. */
export function textsOf(held: readonly HeldValue[]): readonly string[] {
  return held.map((value) => (typeof value === 'string' ? value : (value.name ?? value.id)))
}

/** An entity without a name says nothing to a text. */
function namesOf(held: readonly HeldValue[]): readonly string[] {
  return held.flatMap((value) => {
    if (typeof value === 'string') return [value]
    return value.name === undefined ? [] : [value.name]
  })
}

function wordsOf(text: string): readonly string[] {
  return knownName(text).meanings
}

function readable<T>(texts: readonly string[], read: (text: string) => T | null): readonly T[] {
  return texts.map(read).filter((value) => value !== null)
}

function readNumber(text: string): number | null {
  const number = Number(text.replace(/[\s_']/g, '').replace(/^\+/, ''))
  return text.trim() !== '' && Number.isFinite(number) ? number : null
}

function relativeDifference(one: number, other: number): number {
  const largest = Math.max(Math.abs(one), Math.abs(other))
  return largest === 0 ? 0 : Math.abs(one - other) / largest
}
