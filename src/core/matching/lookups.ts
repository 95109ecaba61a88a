import type { LookupProperty, LookupQuery } from './lookup-query.ts'
import type { MappedRecord } from './mapped-record.ts'
import { readLibraryHeading } from '../names/library-heading.ts'
import type { EntityKind, ProjectSettings } from '../project-settings.ts'

/** Wikibase allows no label longer than this, in characters: a longer name can never be found by label. */
export const LONGEST_NAME_CHARACTERS = 250

/** Names tried per record; the rest would cost requests without ever having helped. */
const MOST_NAMES_ASKED = 8

/** True for a name that no label can equal (research reconciliation §2.2). */
export function isTooLong(name: string): boolean {
  return Array.from(name).length > LONGEST_NAME_CHARACTERS
}

/**
 * The questions to ask about a record, main name first.
 * @returns empty when the record has no name, or only names that are too long.
 */
export function lookupsOf(record: MappedRecord, settings: ProjectSettings): readonly LookupQuery[] {
  const properties = sentProperties(record)
  const asked = record.names.flatMap((name) => queryForms(name, settings.kind))
  return [...new Set(asked)]
    .filter((name) => !isTooLong(name))
    .slice(0, MOST_NAMES_ASKED)
    .map((query) => ({ query, types: record.types, limit: settings.limit, properties }))
}

/** A library heading is asked for in natural order first, then as it stands: labels are written so. */
function queryForms(name: string, kind: EntityKind): readonly string[] {
  const heading = kind === 'person' ? readLibraryHeading(name) : null
  return heading === null ? [name] : [heading.name, name]
}

/** Exactly what a service is sent, as text: two lookups with equal keys are one question. */
export function lookupKey(query: LookupQuery): string {
  return JSON.stringify([query.query, query.types, query.limit, query.properties])
}

// One entry per property: a repeated pid distorts the score of existing services (research §1.3).
function sentProperties(record: MappedRecord): readonly LookupProperty[] {
  const byPid = new Map<string, string[]>()
  for (const { pid, use, values } of record.properties) {
    if (use === 'send') byPid.set(pid, [...(byPid.get(pid) ?? []), ...values])
  }
  return [...byPid]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([pid, values]) => ({ pid, v: values.length === 1 ? (values[0] ?? '') : values }))
}
