import { sql } from 'kysely'
import type { HeldValue } from '../core/matching/candidate.ts'
import type { Db } from './connect.ts'

/** Which values of which items are wanted. */
export interface ValueQuestion {
  readonly projectId: number
  /** Only items that were matched at this service. */
  readonly service: string
  readonly properties: readonly string[]
  /** ISO 8601: what was fetched before counts as not known. */
  readonly renewBefore?: string | undefined
}

/** An item with the properties nothing is known of. */
export interface MissingValues {
  readonly id: string
  /** In alphabetical order. */
  readonly properties: readonly string[]
}

export interface ValueCounts {
  /** Distinct matched items. */
  readonly items: number
  /** Of these: all is known. The rest has something missing, something failed, or both. */
  readonly known: number
  /** Of these: some property was never asked for. */
  readonly missing: number
  /** Of these: some property could not be asked. */
  readonly failed: number
  /** When the oldest of what is known was fetched. */
  readonly oldest: Date | null
}

/** An item has failed when it was asked so often in one extension. */
const MOST_ATTEMPTS = 3

/**
 * Matched items of which some property was never asked for, or failed in an extension other than this one. Those that
 * did not fail before come first.
 * @param extension names the extension that asks
 */
export async function missingValues(
  db: Db,
  { projectId, service, properties, renewBefore }: ValueQuestion,
  extension: string,
  limit: number,
): Promise<readonly MissingValues[]> {
  const { rows } = await sql<MissingValues>`
    select item.id, array_agg(wanted.property order by wanted.property) as properties
    from (
      select distinct r.match_qid as id from result r
      where r.project_id = ${projectId}::bigint and r.match_qid is not null
        and coalesce(r.service, ${service}::text) = ${service}::text
    ) as item
    cross join unnest(${properties}::text[]) as wanted (property)
    left join item_value v
      on v.service = ${service}::text and v.external_id = item.id and v.property = wanted.property
    where not ${isKnown(renewBefore)} and (
      v.failed_in is distinct from ${extension}::text or v.attempts < ${MOST_ATTEMPTS}::integer)
    group by item.id
    order by coalesce(max(v.attempts) filter (where v.failed_in = ${extension}::text), 0), item.id
    limit ${limit}::integer`.execute(db)
  return rows
}

export async function countValues(
  db: Db,
  { projectId, service, properties, renewBefore }: ValueQuestion,
): Promise<ValueCounts> {
  const { rows } = await sql<ValueCounts>`
    select count(*)::integer as items,
      count(*) filter (where known = ${properties.length}::integer)::integer as known,
      count(*) filter (where known + failed < ${properties.length}::integer)::integer as missing,
      count(*) filter (where failed > 0)::integer as failed, min(oldest) as oldest
    from (
      select item.id, count(*) filter (where ${isKnown(renewBefore)}) as known,
        count(*) filter (where not ${isKnown(renewBefore)} and v.error_code is not null) as failed,
        min(v.fetched_at) filter (where v.held is not null) as oldest
      from (
        select distinct r.match_qid as id from result r
        where r.project_id = ${projectId}::bigint and r.match_qid is not null
          and coalesce(r.service, ${service}::text) = ${service}::text
      ) as item
      left join item_value v on v.service = ${service}::text and v.external_id = item.id
        and v.property = any(${properties}::text[])
      group by item.id
    ) as counted`.execute(db)
  return rows[0] ?? { items: 0, known: 0, missing: 0, failed: 0, oldest: null }
}

/** Of a row `v` of item_value, or of none. */
function isKnown(renewBefore: string | undefined) {
  const isFresh =
    renewBefore === undefined ? sql`true` : sql`v.fetched_at >= ${renewBefore}::timestamptz`
  return sql`(v.held is not null and ${isFresh})`
}

/** Of these properties, those that the service has not told of any item yet. */
export async function neverAnswered(
  db: Db,
  service: string,
  properties: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ property: string }>`
    select wanted.property
    from unnest(${properties}::text[]) as wanted (property)
    where not exists (
      select 1 from item_value v
      where v.service = ${service}::text and v.property = wanted.property and v.held is not null)`.execute(
    db,
  )
  return rows.map((row) => row.property)
}

/** A property that nobody was told of, with how the last attempt at it in this extension ended. */
export interface FailedProperty {
  readonly property: string
  readonly code: string
  readonly message: string
}

/** Of these properties, those that this extension asked for in vain and that the service has told of no item yet. */
export async function failedThroughout(
  db: Db,
  service: string,
  properties: readonly string[],
  extension: string,
): Promise<readonly FailedProperty[]> {
  const never = await neverAnswered(db, service, properties)
  if (never.length === 0) return []
  const { rows } = await sql<FailedProperty>`
    select distinct on (v.property) v.property, v.error_code as code, v.error_message as message
    from item_value v
    where v.service = ${service}::text and v.property = any(${never}::text[])
      and v.failed_in = ${extension}::text
    order by v.property, v.external_id`.execute(db)
  return rows
}

export interface FailedValue {
  readonly id: string
  readonly code: string
  readonly message: string
}

/** Matched items that could not be asked, one reason each, in order of their ids. */
export async function failedValues(
  db: Db,
  { projectId, service, properties }: ValueQuestion,
  limit: number,
): Promise<readonly FailedValue[]> {
  const { rows } = await sql<FailedValue>`
    select distinct on (v.external_id) v.external_id as id, v.error_code as code,
      v.error_message as message
    from item_value v
    where v.service = ${service}::text and v.error_code is not null
      and v.property = any(${properties}::text[])
      and exists (
        select 1 from result r
        where r.project_id = ${projectId}::bigint and r.match_qid = v.external_id)
    order by v.external_id, v.property limit ${limit}::integer`.execute(db)
  return rows
}

/** What an item states, by property; a property that was asked for and is not there has an empty list. */
export interface FetchedItem {
  readonly id: string
  readonly held: Readonly<Record<string, readonly HeldValue[]>>
}

/** Keeps what was answered; asked again, it replaces what was kept. */
export async function storeValues(
  db: Db,
  service: string,
  items: readonly FetchedItem[],
): Promise<void> {
  const rows = items.flatMap(({ id, held }) =>
    Object.entries(held).map(([property, values]) => ({ id, property, values })),
  )
  if (rows.length === 0) return
  await sql`
    insert into item_value (service, external_id, property, held)
    select ${service}::text, fresh.id, fresh.property, fresh.held
    from unnest(
      ${rows.map((row) => row.id)}::text[],
      ${rows.map((row) => row.property)}::text[],
      ${rows.map((row) => JSON.stringify(row.values))}::jsonb[]
    ) as fresh (id, property, held)
    on conflict (service, external_id, property) do update
    set held = excluded.held, fetched_at = now(), failed_in = null, attempts = 0,
      error_code = null, error_message = null`.execute(db)
}

export interface FailedItem {
  readonly id: string
  readonly properties: readonly string[]
  readonly code: string
  readonly message: string
  /** To ask again would help nothing. */
  readonly isFinal: boolean
}

/**
 * Counts one failed attempt of each item. What is known of them stays.
 * @returns attempts of those that are to be asked again in this extension; 0 when there are none
 */
export async function storeValueFailures(
  db: Db,
  service: string,
  extension: string,
  items: readonly FailedItem[],
): Promise<number> {
  const rows = items.flatMap(({ properties, ...item }) =>
    properties.map((property) => ({ ...item, property })),
  )
  if (rows.length === 0) return 0
  const { rows: written } = await sql<{ attempts: number }>`
    insert into item_value as v
      (service, external_id, property, failed_in, attempts, error_code, error_message)
    select ${service}::text, failed.id, failed.property, ${extension}::text,
      case when failed.is_final then ${MOST_ATTEMPTS}::integer else 1 end, failed.code, failed.message
    from unnest(
      ${rows.map((row) => row.id)}::text[],
      ${rows.map((row) => row.property)}::text[],
      ${rows.map((row) => row.isFinal)}::boolean[],
      ${rows.map((row) => row.code)}::text[],
      ${rows.map((row) => row.message)}::text[]
    ) as failed (id, property, is_final, code, message)
    on conflict (service, external_id, property) do update
    set failed_in = excluded.failed_in, error_code = excluded.error_code,
      error_message = excluded.error_message,
      attempts = greatest(excluded.attempts,
        case when v.failed_in = excluded.failed_in then v.attempts + 1 else 1 end)
    returning v.attempts`.execute(db)
  const again = written.map((row) => row.attempts).filter((attempts) => attempts < MOST_ATTEMPTS)
  return Math.max(0, ...again)
}

/** Of these properties, those with a known value that is another item. */
export async function entityProperties(
  db: Db,
  service: string,
  properties: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ property: string }>`
    select wanted.property
    from unnest(${properties}::text[]) as wanted (property)
    where exists (
      select 1 from item_value v
      where v.service = ${service}::text and v.property = wanted.property
        and jsonb_path_exists(v.held, '$[*].id'))`.execute(db)
  return new Set(rows.map((row) => row.property))
}
