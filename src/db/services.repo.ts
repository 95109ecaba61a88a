import { isWikidataService } from '../core/matching/item-id.ts'
import { sql } from 'kysely'
import type { Db } from './connect.ts'

/** What a service says about its items. */
export interface ServiceFacts {
  /** Address of an item's page, with `{{id}}`; null where there is none. */
  readonly viewUrl: string | null
  /** URI prefix of item ids. */
  readonly identifierSpace: string
  readonly schemaSpace: string
}

export const WIKIDATA_FACTS: ServiceFacts = {
  viewUrl: 'https://www.wikidata.org/wiki/{{id}}',
  identifierSpace: 'http://www.wikidata.org/entity/',
  schemaSpace: 'http://www.wikidata.org/prop/direct/',
}

/** Keeps what a manifest said. @param name as projects call the service: a name or its address */
export async function rememberService(db: Db, name: string, facts: ServiceFacts): Promise<void> {
  const { viewUrl, identifierSpace, schemaSpace } = facts
  await sql`
    insert into service (name, view_url, identifier_space, schema_space)
    values (${name}, ${viewUrl}, ${identifierSpace}, ${schemaSpace})
    on conflict (name) do update
    set view_url = excluded.view_url, identifier_space = excluded.identifier_space,
      schema_space = excluded.schema_space, seen_at = now()
    where (service.view_url, service.identifier_space, service.schema_space)
      is distinct from (excluded.view_url, excluded.identifier_space, excluded.schema_space)`.execute(
    db,
  )
}

/** @returns null for a service that no run has asked yet */
export async function findService(db: Db, name: string): Promise<ServiceFacts | null> {
  if (isWikidataService(name)) return WIKIDATA_FACTS
  const row = await db
    .selectFrom('service')
    .where('name', '=', name)
    .select(['view_url', 'identifier_space', 'schema_space'])
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    viewUrl: row.view_url,
    identifierSpace: row.identifier_space,
    schemaSpace: row.schema_space,
  }
}

/** Whether its items are those of Wikidata. */
export function isWikidata({ identifierSpace }: ServiceFacts): boolean {
  return /^https?:\/\/www\.wikidata\.org\/entity\/$/.test(identifierSpace)
}
