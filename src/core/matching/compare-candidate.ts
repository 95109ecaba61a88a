/** All features of one candidate, compared with a record. */
import type { EntityKind } from '../project-settings.ts'
import { readLibraryHeading } from '../names/library-heading.ts'
import { nameForms } from '../names/normalize-name.ts'
import type { Candidate } from './candidate.ts'
import { type Behind, explainedAway } from './explained-away.ts'
import { addressFeatures } from './features/address-feature.ts'
import { readDate } from './features/date-value.ts'
import type { FeatureLevel } from './features/feature-level.ts'
import { nameFeature } from './features/name-feature.ts'
import { propertyFeature } from './features/property-feature.ts'
import { isAddress, type PreparedName, recordNames } from './features/record-names.ts'
import { typeFeature } from './features/type-feature.ts'
import type { MappedProperty, MappedRecord } from './mapped-record.ts'

const BORN = 'P569'
const DIED = 'P570'
const OCCUPATION = 'P106'
const MODERN = 1700
const GIVEN_NAME_ONLY = 'name.partial'

/** A record with what comparing it needs, computed once. */
export interface PreparedRecord {
  readonly kind: EntityKind
  readonly names: readonly PreparedName[]
  readonly types: readonly string[]
  readonly properties: readonly MappedProperty[]
  readonly stated: ReadonlySet<string>
  /** A person born when family names were fixed. */
  readonly isModern: boolean
  readonly givenItem: string | undefined
}

export function prepareRecord(record: MappedRecord, kind: EntityKind): PreparedRecord {
  const compared = record.properties.filter(({ use }) => use !== 'keep')
  const properties = kind === 'person' ? [...compared, ...headingEvidence(record)] : compared
  return {
    kind,
    names: recordNames(record.names, kind),
    types: record.types,
    properties,
    stated: new Set(properties.map(({ pid }) => pid)),
    isModern: properties.some(isBornModern),
    givenItem: record.givenItem,
  }
}

function isBornModern({ pid, values, dateFormat }: MappedProperty): boolean {
  return pid === BORN && values.some((text) => (readDate(text, dateFormat)?.year ?? 0) >= MODERN)
}

/** Earlier, people were known by their given name and a place, a father or a trade. */
function withFamilyNames(name: FeatureLevel): FeatureLevel {
  return { ...name, keys: [...name.keys, 'family-name'], how: `${name.how}, another family name` }
}

/** Years of life and roles that a library heading gives, where the record has no column for them. */
function headingEvidence({ names, properties }: MappedRecord): readonly MappedProperty[] {
  const heading = readLibraryHeading(names[0] ?? '')
  if (heading === null) return []
  const isMapped = (pid: string) => properties.some((property) => property.pid === pid)
  const years = [
    { pid: BORN, year: heading.born },
    { pid: DIED, year: heading.died },
  ]
  const dates = years.flatMap(({ pid, year }): MappedProperty[] =>
    year === undefined || isMapped(pid)
      ? []
      : [{ pid, kind: 'date', use: 'compare', values: [year] }],
  )
  const { roles } = heading
  return roles.length === 0 || isMapped(OCCUPATION)
    ? dates
    : [...dates, { pid: OCCUPATION, kind: 'item', use: 'compare', values: roles, isHint: true }]
}

/** Compares all candidates of a record; some levels depend on the others in the list. */
export function compareCandidates(
  record: PreparedRecord,
  candidates: readonly Candidate[],
): readonly (readonly FeatureLevel[])[] {
  const compared = candidates.map((candidate) => compareCandidate(record, candidate))
  const explained = explainedAway(compared)
  return compared.map((levels, position) => {
    const behind = explained[position] ?? null
    if (behind === null) return levels
    return levels.map((level) => (level.feature === 'name' ? explainedBy(level, behind) : level))
  })
}

function explainedBy(level: FeatureLevel, behind: NonNullable<Behind>): FeatureLevel {
  return {
    ...level,
    keys: [...level.keys, behind],
    how: `${level.how}, but another candidate’s name fits better`,
  }
}

/** Words of the description; most candidates are compared without it. */
function describedBy({ description }: Candidate): () => readonly string[] {
  let words: readonly string[] | undefined
  return () => (words ??= nameForms(description ?? '').tokens)
}

function compareCandidate(record: PreparedRecord, candidate: Candidate): readonly FeatureLevel[] {
  const { names, kind, properties, types, stated, isModern, givenItem } = record
  const words = describedBy(candidate)
  const main = names[0]
  const hasAddress = kind === 'organisation' && main !== undefined && isAddress(names)
  const name = nameFeature(names, candidate, kind)
  return [
    isModern && name.keys.includes(GIVEN_NAME_ONLY) ? withFamilyNames(name) : name,
    ...properties.map((property) => propertyFeature(property, candidate, words)),
    ...(hasAddress ? addressFeatures(main, candidate, stated) : []),
    ...typeFeature(types, candidate),
    ...(candidate.id === givenItem ? [givenItemFeature(givenItem)] : []),
  ]
}

/** Weighs as an identifier does. */
function givenItemFeature(id: string): FeatureLevel {
  return {
    feature: 'item',
    verdict: 'agree',
    keys: ['id.agree'],
    record: id,
    candidate: id,
    how: 'given by the record',
  }
}
