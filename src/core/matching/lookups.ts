import type { LookupProperty, LookupQuery } from './lookup-query.ts'
import type { MappedProperty, MappedRecord } from './mapped-record.ts'
import { plainIdentifier } from '../identifiers/plain-identifier.ts'
import { subordinateBody } from '../names/corporate-heading.ts'
import { readLibraryHeading } from '../names/library-heading.ts'
import type { EntityKind, ProjectSettings } from '../project-settings.ts'
import { wikidataLookups } from '../wikidata/wikidata-lookups.ts'
import { WIKIDATA_SERVICE } from '../wikidata/wikidata-service.ts'

/** Wikibase allows no label longer than this, in characters: a longer name can never be found by label. */
export const LONGEST_NAME_CHARACTERS = 250

/** Names tried per record; the rest would cost requests without ever having helped. */
const MOST_NAMES_ASKED = 8

/** True for a name that no label can equal (research reconciliation §2.2). */
export function isTooLong(name: string): boolean {
  return Array.from(name).length > LONGEST_NAME_CHARACTERS
}

/** Identifiers tried for a record without a name. */
const MOST_IDENTIFIERS_ASKED = 4

/**
 * The questions to ask about a record: the item it gives, then its names, main name first; without a name that can be
 * asked, the identifiers that may be sent. Wikidata is asked otherwise (`wikidataLookups`).
 * @returns empty when the record has none of these.
 */
export function lookupsOf(record: MappedRecord, settings: ProjectSettings): readonly LookupQuery[] {
  const { types, givenItem } = record
  const { limit } = settings
  const forms = record.names.flatMap((name) => queryForms(name, settings.kind))
  const names = [...new Set(forms)].filter((name) => !isTooLong(name)).slice(0, MOST_NAMES_ASKED)
  if (settings.service === WIKIDATA_SERVICE) return wikidataLookups(names, record, settings)
  const properties = sentProperties(record)
  const byName = names.map((query) => ({ query, types, limit, properties }))
  if (givenItem === undefined && byName.length === 0) {
    // Services need a query text, and find what has that identifier by it or by the property beside it.
    return askedIdentifiers(record).map((query) => ({ query, types, limit, properties }))
  }
  // Services answer an id as query. Types and properties would only hide an item that is there.
  return givenItem === undefined
    ? byName
    : [{ query: givenItem, types: [], limit, properties: [] }, ...byName]
}

/** Identifiers that a record without a name is asked by, as Wikidata writes them. */
export function askedIdentifiers({ names, properties }: MappedRecord): readonly string[] {
  if (names.some((name) => !isTooLong(name))) return []
  const values = properties
    .filter(({ kind, use }) => kind === 'id' && use === 'send')
    .flatMap(sentValues)
  return [...new Set(values)].slice(0, MOST_IDENTIFIERS_ASKED)
}

/** A library heading is asked for in natural order first, as labels are written, then as it stands. */
function queryForms(name: string, kind: EntityKind): readonly string[] {
  if (kind === 'organisation') return [name, ...subordinateBody(name)]
  const heading = kind === 'person' ? readLibraryHeading(name) : null
  if (heading === null) return [name]
  return [heading.name, ...(heading.fullName === undefined ? [] : [heading.fullName]), name]
}

/** An identifier goes as Wikidata writes it, whatever its dress in the record. */
export function sentValues({ pid, kind, values }: MappedProperty): readonly string[] {
  if (kind !== 'id') return values
  return [...new Set(values.map((value) => plainIdentifier(pid, value) ?? value))]
}

/** Exactly what a service is sent, as text: two lookups with equal keys are one question. */
export function lookupKey({
  query,
  types,
  limit,
  properties,
  search,
  language,
}: LookupQuery): string {
  if (search !== undefined) return JSON.stringify([search, query, language ?? null, limit])
  return JSON.stringify([query, types, limit, properties])
}

// One entry per property: a repeated pid distorts the score of existing services (research §1.3).
function sentProperties(record: MappedRecord): readonly LookupProperty[] {
  const byPid = new Map<string, string[]>()
  for (const property of record.properties) {
    const { pid, use } = property
    if (use === 'send') byPid.set(pid, [...(byPid.get(pid) ?? []), ...sentValues(property)])
  }
  return [...byPid]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([pid, values]) => ({ pid, v: values.length === 1 ? (values[0] ?? '') : values }))
}
