/** Properties of Wikidata that records often have evidence for, by their English labels and what people call them. */
import { identifierSchemes } from './identifiers/identifier-schemes.ts'
import { nameForms } from './names/normalize-name.ts'

export interface NamedProperty {
  readonly id: string
  readonly name: string
}

const LABELS: Readonly<Record<string, readonly [label: string, ...others: string[]]>> = {
  P17: ['country'],
  P18: ['image', 'picture'],
  P19: ['place of birth', 'birthplace', 'birth place', 'born in'],
  P20: ['place of death', 'death place', 'died in'],
  P21: ['sex or gender', 'gender', 'sex'],
  P27: ['country of citizenship', 'nationality', 'citizenship'],
  P31: ['instance of', 'type', 'is a'],
  P50: ['author', 'writer'],
  P57: ['director', 'film director'],
  P69: ['educated at', 'alma mater', 'school'],
  P106: ['occupation', 'profession', 'job'],
  P108: ['employer'],
  P112: ['founded by', 'founder'],
  P118: ['league'],
  P123: ['publisher'],
  P127: ['owned by', 'owner'],
  P131: [
    'located in the administrative territorial entity',
    'city',
    'region',
    'state',
    'located in',
  ],
  P136: ['genre'],
  P159: ['headquarters location', 'headquarters', 'seat'],
  P170: ['creator', 'artist'],
  P175: ['performer'],
  P176: ['manufacturer', 'maker', 'brand'],
  P180: ['depicts'],
  P195: ['collection'],
  P217: ['inventory number', 'accession number'],
  P276: ['location'],
  P279: ['subclass of'],
  P297: ['ISO 3166-1 alpha-2 code', 'country code'],
  P407: ['language of work or name', 'language'],
  P452: ['industry', 'sector'],
  P495: ['country of origin'],
  P569: ['date of birth', 'birth date', 'birthdate', 'born', 'year of birth', 'birth year', 'dob'],
  P570: ['date of death', 'death date', 'died', 'year of death', 'death year'],
  P571: ['inception', 'founded', 'founding date', 'date of foundation', 'established', 'created'],
  P576: ['dissolved, abolished or demolished date', 'dissolved', 'closed', 'end date'],
  P577: [
    'publication date',
    'published',
    'date of publication',
    'release date',
    'year of publication',
  ],
  P580: ['start time', 'start date'],
  P582: ['end time', 'end date'],
  P625: ['coordinate location', 'coordinates', 'latitude', 'longitude', 'geolocation'],
  P734: ['family name', 'surname', 'last name'],
  P735: ['given name', 'first name', 'forename'],
  P749: ['parent organization', 'parent company'],
  P856: ['official website', 'website', 'homepage', 'url'],
  P1082: ['population', 'inhabitants'],
  P1448: ['official name'],
  P1476: ['title'],
  P1705: ['native label', 'native name'],
  P2031: ['work period (start)', 'active from', 'floruit'],
  P2032: ['work period (end)', 'active until'],
  P2044: ['elevation above sea level', 'elevation', 'altitude'],
}

const names: ReadonlyMap<string, readonly string[]> = new Map([
  ...Object.entries(identifierSchemes).map(
    ([pid, { name }]) => [pid, [`${name} ID`, name]] as const,
  ),
  ...Object.entries(LABELS),
])

export const knownPropertyIds: readonly string[] = [...names.keys()]

/** What a property is called, its label first; empty for one that is not among these. */
export function propertyNames(pid: string): readonly string[] {
  return names.get(pid) ?? []
}

/**
 * How well a text names something: 0 not at all, up to 4 for an equal name. Words may be in any order, and the last
 * may be begun only (`birth da`).
 */
export function namedBy(text: string, called: readonly string[]): number {
  const asked = nameForms(text).tokens
  if (asked.length === 0) return 0
  return Math.max(0, ...called.map((name) => likeness(asked, nameForms(name).tokens)))
}

function likeness(asked: readonly string[], held: readonly string[]): number {
  if (asked.join(' ') === held.join(' ')) return 4
  const last = asked.at(-1) ?? ''
  const whole = asked.slice(0, -1).every((word) => held.includes(word))
  if (!whole || !held.some((word) => word.startsWith(last))) return 0
  if (held.join(' ').startsWith(asked.join(' '))) return 3
  return held.includes(last) ? 2 : 1
}

/** Those among the well-known ones that a text names, best first. */
export function findKnownProperties(text: string): readonly NamedProperty[] {
  return [...names]
    .map(([id, called]) => ({ id, name: called[0] ?? id, likeness: namedBy(text, called) }))
    .filter((property) => property.likeness > 0)
    .toSorted((a, b) => b.likeness - a.likeness)
    .map(({ id, name }) => ({ id, name }))
}
