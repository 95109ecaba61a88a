/**
 * Whether the text of a raw affiliation speaks of the candidate's own place: its city, its country. Only for names
 * that are longer than the candidate's, and only with words the candidate's name does not have itself.
 */
import type { Candidate, HeldValue } from '../candidate.ts'
import { knownName } from '../../names/known-name.ts'
import type { FeatureLevel } from './feature-level.ts'
import { countriesWithin, countryCodes, textsOf } from './property-levels.ts'
import type { PreparedName } from './record-names.ts'

const LOCATED_IN = 'P131'
const COUNTRY = 'P17'

/** @param skip features the record states in columns of its own, which are compared there */
export function addressFeatures(
  main: PreparedName,
  candidate: Candidate,
  skip: ReadonlySet<string>,
): readonly FeatureLevel[] {
  const features: FeatureLevel[] = []
  const cities = candidate.properties?.[LOCATED_IN] ?? []
  if (!skip.has(LOCATED_IN) && cities.length > 0) features.push(city(main, cities))
  const held = candidate.properties?.[COUNTRY] ?? []
  const shown = countriesWithin(main.text)
  if (!skip.has(COUNTRY) && held.length > 0 && shown.length > 0) {
    const theirs = new Set(textsOf(held).flatMap(countryCodes))
    if (theirs.size > 0) {
      const verdict = shown.some((code) => theirs.has(code)) ? 'agree' : 'disagree'
      features.push({
        feature: COUNTRY,
        verdict,
        keys: [`country-in-name.${verdict}`],
        record: main.text,
        candidate: textsOf(held).join(' | '),
        how: 'in the name',
      })
    }
  }
  return features
}

function city(main: PreparedName, cities: readonly HeldValue[]): FeatureLevel {
  const words = ` ${main.known.forms.c} `
  const named = textsOf(cities).some((text) => {
    const { c } = knownName(text).forms
    return c !== '' && words.includes(` ${c} `)
  })
  // An address without the city may give a district or a campus.
  return {
    feature: LOCATED_IN,
    verdict: named ? 'agree' : 'unknown',
    keys: named ? ['city-in-name.agree'] : [],
    record: main.text,
    candidate: textsOf(cities).join(' | '),
    how: 'in the name',
  }
}
