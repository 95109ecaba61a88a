/**
 * Evidence beyond the name, from what a reconciliation answer shows: its features and its description. What neither
 * shows is unknown and weighs nothing.
 */
import type { Candidate } from './candidate.ts'
import { countriesIn } from './country-words.ts'
import type { FeatureEvidence, Verdict } from './decision.ts'
import { kindWords, showsKind } from './kind-words.ts'
import type { MappedProperty } from './mapped-record.ts'
import { nameForms } from './normalize-name.ts'
import { weights } from './weights.ts'

/** Country, as Wikidata has it. */
const COUNTRY = 'P17'
/** A local feature, not a Wikidata property: what sort of thing the record says it is. */
const CATEGORY = 'category'
const COUNTRY_CODE = /^[a-z]{2}$/i
const YEAR = /(?<!\d)[12]\d{3}(?!\d)/g

/** Compares one property of a record with what is known of a candidate. */
export function compareProperty(
  property: MappedProperty,
  candidate: Candidate,
  descriptionWords: readonly string[],
): FeatureEvidence {
  const record = property.values.join(' | ')
  const description = candidate.description ?? ''
  const about = { feature: property.pid, record, candidate: description } as const
  const reported = candidate.features.find((feature) => feature.id === property.pid)
  if (reported !== undefined) {
    const value =
      typeof reported.value === 'boolean' ? Number(reported.value) * 100 : reported.value
    const verdict: Verdict = value >= 90 ? 'agree' : value >= 50 ? 'partly' : 'disagree'
    return weighed(
      { ...about, candidate: String(reported.value), how: 'service' },
      verdict,
      weights.feature,
    )
  }
  if (property.pid === COUNTRY) {
    return weighed(
      { ...about, how: 'description' },
      countryVerdict(property, descriptionWords),
      weights.country,
    )
  }
  if (property.pid === CATEGORY) {
    return weighed(
      { ...about, how: 'description' },
      kindVerdict(property, descriptionWords),
      weights.kind,
    )
  }
  if (property.kind === 'date') {
    return weighed(
      { ...about, how: 'description' },
      yearVerdict(property, description),
      weights.year,
    )
  }
  return weighed({ ...about, how: 'not shown by the service' }, 'unknown', weights.feature)
}

function countryVerdict(property: MappedProperty, words: readonly string[]): Verdict {
  const shown = countriesIn(words)
  const asked = new Set(
    property.values.flatMap((value) =>
      COUNTRY_CODE.test(value) ? [value.toUpperCase()] : [...countriesIn(nameForms(value).tokens)],
    ),
  )
  if (shown.size === 0 || asked.size === 0) return 'unknown'
  return [...shown].some((code) => asked.has(code)) ? 'agree' : 'disagree'
}

function kindVerdict(property: MappedProperty, words: readonly string[]): Verdict {
  const kinds = property.values.map(kindWords).filter((kind) => kind.size > 0)
  if (words.length === 0 || kinds.length === 0) return 'unknown'
  return kinds.some((kind) => showsKind(words, kind)) ? 'agree' : 'disagree'
}

// Descriptions of people carry their years of life; other years in the text say nothing against.
function yearVerdict(property: MappedProperty, description: string): Verdict {
  const asked = property.values.flatMap((value) => value.match(YEAR) ?? [])
  const shown: readonly string[] = description.match(YEAR) ?? []
  if (asked.length === 0 || shown.length === 0) return 'unknown'
  return asked.some((year) => shown.includes(year)) ? 'agree' : 'disagree'
}

function weighed(
  about: Omit<FeatureEvidence, 'verdict' | 'weight'>,
  verdict: Verdict,
  points: { readonly agree: number; readonly partly?: number; readonly disagree: number },
): FeatureEvidence {
  const weight =
    verdict === 'unknown' ? 0 : verdict === 'partly' ? (points.partly ?? 0) : points[verdict]
  return { ...about, verdict, weight }
}
