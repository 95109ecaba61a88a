/**
 * Evidence beyond the name: from what a candidate holds, else from what the service says of the property, else from
 * the candidate's description. What none of them shows is unknown and weighs nothing.
 */
import type { Candidate, HeldValue } from '../candidate.ts'
import { countriesIn } from '../country-words.ts'
import type { Verdict } from '../decision.ts'
import { kindWords, showsKind } from '../kind-words.ts'
import { nameForms } from '../../names/normalize-name.ts'
import type { MappedProperty } from '../mapped-record.ts'
import { bestDateLevel, verdictOfDates } from './date-feature.ts'
import { readDate } from './date-value.ts'
import type { FeatureLevel } from './feature-level.ts'
import {
  addressAgreement,
  coordinateLevel,
  countryAgreement,
  countryCodes,
  identifierAgreement,
  numberAgreement,
  textAgreement,
  textsOf,
} from './property-levels.ts'

/** Country, citizenship, country of origin: values with codes and adjectives. */
const COUNTRIES = new Set(['P17', 'P27', 'P495'])
/** Located in, location, headquarters. */
const PLACES = new Set(['P131', 'P276', 'P159'])
const SEX = 'P21'
/** A local feature, not a Wikidata property: what sort of thing the record says it is. */
const CATEGORY = 'category'
const YEAR = /(?<!\d)[12]\d{3}(?!\d)/g
const AGREES_FROM = 90
const PARTLY_FROM = 50

interface Compared {
  readonly verdict: Verdict
  readonly key: string
}

export function propertyFeature(
  property: MappedProperty,
  candidate: Candidate,
  descriptionWords: () => readonly string[],
): FeatureLevel {
  const held = candidate.properties?.[property.pid] ?? []
  const byValue = held.length === 0 ? null : compareHeld(property, held)
  if (property.isHint === true) {
    const isSo = byValue?.verdict === 'agree' || isDescribedSo(property, descriptionWords)
    const hint: Compared = isSo
      ? { verdict: 'agree', key: `${familyOf(property)}.agree` }
      : { verdict: 'unknown', key: '' }
    return levelOf(property, hint, textsOf(held).join(' | '), isSo ? hint.key : 'not shown')
  }
  if (byValue !== null) return levelOf(property, byValue, textsOf(held).join(' | '), byValue.key)
  const reported = candidate.features.find(({ id }) => id === property.pid)
  if (reported !== undefined) {
    return levelOf(property, byService(reported.value), String(reported.value), 'service')
  }
  const described = compareDescribed(property, candidate.description ?? '', descriptionWords())
  if (described !== null) {
    return levelOf(property, described, candidate.description ?? '', 'description')
  }
  return {
    feature: property.pid,
    verdict: 'unknown',
    keys: [],
    record: recordText(property),
    candidate: '',
    how: 'not shown',
  }
}

function levelOf(
  property: MappedProperty,
  { verdict, key }: Compared,
  candidate: string,
  how: string,
): FeatureLevel {
  const record = recordText(property)
  return { feature: property.pid, verdict, keys: [key], record, candidate, how }
}

function recordText({ values }: MappedProperty): string {
  return values.join(' | ')
}

/** The description has all words of one of the values. */
function isDescribedSo({ values }: MappedProperty, words: () => readonly string[]): boolean {
  return values.some((value) => {
    const { tokens } = nameForms(value)
    return tokens.length > 0 && tokens.every((token) => words().includes(token))
  })
}

function compareHeld(property: MappedProperty, held: readonly HeldValue[]): Compared | null {
  const { pid, kind, values } = property
  if (kind === 'date') return compareDated(property, held)
  if (kind === 'coordinate') return comparePlaced(values, held)
  if (kind === 'id') return agreement('id', identifierAgreement(pid, values, held))
  const agreementOf = COUNTRIES.has(pid) ? countryAgreement : AGREEMENT[kind]
  return agreement(familyOf(property), agreementOf(values, held))
}

const AGREEMENT = {
  url: addressAgreement,
  number: numberAgreement,
  item: textAgreement,
  text: textAgreement,
} as const

function compareDated(property: MappedProperty, held: readonly HeldValue[]): Compared | null {
  const ours = property.values
    .map((text) => readDate(text, property.dateFormat))
    .filter((date) => date !== null)
  const theirs = textsOf(held)
    .map((text) => readDate(text))
    .filter((date) => date !== null)
  if (ours.length === 0 || theirs.length === 0) return null
  const level = bestDateLevel(ours, theirs)
  return { verdict: verdictOfDates(level), key: `date.${level}` }
}

function comparePlaced(values: readonly string[], held: readonly HeldValue[]): Compared | null {
  const level = coordinateLevel(values, held)
  if (level === null) return null
  const verdict =
    level === '2' || level === '10' ? 'agree' : level === 'far' ? 'disagree' : 'partly'
  return { verdict, key: `coordinate.${level}` }
}

/** Scales differ between services, so what one says is no hard rule: a small number may be its best. */
function byService(value: number | boolean): Compared {
  const percent = typeof value === 'boolean' ? Number(value) * 100 : value
  const verdict = percent >= AGREES_FROM ? 'agree' : percent >= PARTLY_FROM ? 'partly' : 'disagree'
  return { verdict, key: `service.${verdict}` }
}

function compareDescribed(
  property: MappedProperty,
  description: string,
  words: readonly string[],
): Compared | null {
  if (words.length === 0) return null
  if (COUNTRIES.has(property.pid)) {
    const shown = countriesIn(words)
    const asked = new Set(property.values.flatMap(countryCodes))
    if (shown.size === 0 || asked.size === 0) return null
    return agreement('country', [...shown].some((code) => asked.has(code)) ? 'agree' : 'disagree')
  }
  if (property.pid === CATEGORY) {
    const kinds = property.values.map(kindWords).filter((kind) => kind.size > 0)
    if (kinds.length === 0) return null
    return agreement('kind', kinds.some((kind) => showsKind(words, kind)) ? 'agree' : 'disagree')
  }
  if (property.kind !== 'date') return null
  // Descriptions of people carry their years of life; of several years one that agrees is enough.
  const asked = property.values.flatMap((value) => value.match(YEAR) ?? [])
  const shown: readonly string[] = description.match(YEAR) ?? []
  if (asked.length === 0 || shown.length === 0) return null
  return asked.some((year) => shown.includes(year))
    ? { verdict: 'agree', key: 'date.same-year' }
    : { verdict: 'disagree', key: 'date.far' }
}

function familyOf({ pid, kind }: MappedProperty): string {
  if (COUNTRIES.has(pid)) return 'country'
  if (PLACES.has(pid)) return 'place'
  if (pid === SEX) return 'sex'
  if (pid === CATEGORY) return 'kind'
  return kind === 'text' ? 'item' : kind
}

function agreement(family: string, verdict: Verdict | null): Compared | null {
  return verdict === null ? null : { verdict, key: `${family}.${verdict}` }
}
