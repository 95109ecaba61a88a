import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connect.ts'

/** Which items are meant: those that a project's records are matched with, by runs or people, and those of its gold. */
export interface MatchedItems {
  readonly projectId: number
  /** Whose items they are. */
  readonly service: string
}

/** What was found out about an item; `failed`: it could not be asked, and is not asked again before the next recheck. */
export type CheckedItem =
  | { readonly id: string; readonly state: 'present' | 'missing' | 'failed' }
  | { readonly id: string; readonly state: 'merged'; readonly into: string }

export interface StateCounts {
  readonly items: number
  readonly present: number
  readonly merged: number
  readonly missing: number
  readonly failed: number
  /** Not checked since. */
  readonly unchecked: number
}

/** A record whose item was merged or is no longer there. */
export interface MovedItem {
  /** Id of the record. */
  readonly id: string
  readonly qid: string
  readonly label: string | null
  readonly state: 'merged' | 'missing'
  readonly mergedInto: string | null
  /** A person said so; no run changes it. */
  readonly judged: boolean
  /** Judged, and changed since. */
  readonly stale: boolean
}

/** The next items, by id, that were not checked since. */
export async function uncheckedItems(
  db: Db,
  items: MatchedItems,
  since: string,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select m.id from (${matchedItems(items)}) m
    left join item i on i.service = ${items.service}::text and i.external_id = m.id
    where coalesce(greatest(i.checked_at, i.check_failed_at) < ${since}::timestamptz, true)
    order by m.id limit ${limit}::integer`.execute(db)
  return rows.map(({ id }) => id)
}

/** Whether any item of a service was ever found by its id: then one that is not found is gone. */
export async function isAnyPresent(db: Db, service: string): Promise<boolean> {
  const row = await db
    .selectFrom('item')
    .where('service', '=', service)
    .where('state', '=', 'present')
    .select('external_id')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * What is known of an item stays where it could not be asked.
 * @param since when the check began, by the clock of whoever began it; one of the database that is behind makes nothing
 *   unchecked again
 */
export async function storeItemStates(
  db: Db,
  service: string,
  since: string,
  checked: readonly CheckedItem[],
): Promise<void> {
  if (checked.length === 0) return
  const sorted = checked.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const now = sql`greatest(clock_timestamp(), ${since}::timestamptz)`
  await sql`
    insert into item as i
      (service, external_id, types, state, merged_into, checked_at, check_failed_at)
    select ${service}::text, c.id, '[]', c.state, c.merged_into,
      case when c.state is not null then ${now} end, case when c.state is null then ${now} end
    from unnest(
      ${sorted.map(({ id }) => id)}::text[],
      ${sorted.map(({ state }) => (state === 'failed' ? null : state))}::text[],
      ${sorted.map((one) => (one.state === 'merged' ? one.into : null))}::text[]
    ) as c (id, state, merged_into)
    on conflict (service, external_id) do update
    set check_failed_at = excluded.check_failed_at,
      state = coalesce(excluded.state, i.state),
      merged_into = case when excluded.state is null then i.merged_into else excluded.merged_into end,
      checked_at = coalesce(excluded.checked_at, i.checked_at)`.execute(db)
}

export async function countItemStates(
  db: Db,
  items: MatchedItems,
  since: string,
): Promise<StateCounts> {
  const { rows } = await sql<StateCounts>`
    select count(*)::integer as items,
      count(*) filter (where told and state = 'present')::integer as present,
      count(*) filter (where told and state = 'merged')::integer as merged,
      count(*) filter (where told and state = 'missing')::integer as missing,
      count(*) filter (where failed and not told)::integer as failed,
      count(*) filter (where not told and not failed)::integer as unchecked
    from (
      select i.state, coalesce(i.checked_at >= ${since}::timestamptz, false) as told,
        coalesce(i.check_failed_at >= ${since}::timestamptz, false) as failed
      from (${matchedItems(items)}) m
      left join item i on i.service = ${items.service}::text and i.external_id = m.id
    ) as checked`.execute(db)
  const [counts] = rows
  if (counts === undefined) throw new Error('An aggregate without a group always has one row.')
  return counts
}

/** In file order. */
export async function readMovedItems(db: Db, items: MatchedItems): Promise<readonly MovedItem[]> {
  const { rows } = await sql<MovedItem>`
    select r.external_id as id, r.match_qid as qid, i.label, i.state, i.merged_into as "mergedInto",
      r.judgment_id is not null as judged, r.stale
    from ${movedResults(items)}
    order by r.position, r.entry_id`.execute(db)
  return rows
}

/**
 * Makes the judgments stale whose items were merged or are no longer there. Who judges such a record again has the last
 * word, until another recheck finds the item gone.
 */
export async function markMovedJudgments(db: Db, items: MatchedItems): Promise<void> {
  // Locked in one order, as everything that judges does.
  await sql`
    with judged as (
      select s.id from subject s
      where s.id in (
        select r.subject_id from ${movedResults(items)} and r.judgment_id is not null and not r.stale)
      order by s.id for update)
    update subject s set item_changed_at = clock_timestamp() from judged
    where s.id = judged.id`.execute(db)
}

/** Merged items of a service, old id to new, as far as they were checked. */
export async function readRedirects(db: Db, service: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('item')
    .where('service', '=', service)
    .where('merged_into', 'is not', null)
    .select(['external_id', 'merged_into'])
    .execute()
  return new Map(rows.map((row) => [row.external_id, row.merged_into ?? row.external_id]))
}

function matchedItems({ projectId, service }: MatchedItems): RawBuilder<unknown> {
  return sql`
    select distinct match_qid as id from result
    where project_id = ${projectId}::bigint and match_qid is not null and absent_since is null
      and coalesce(service, ${service}::text) = ${service}::text
    union select external_id from gold_item where project_id = ${projectId}::bigint`
}

/** Results `r` whose items `i` are known to be merged or gone; more conditions may follow. */
function movedResults({ projectId, service }: MatchedItems): RawBuilder<unknown> {
  return sql`result r
    join item i on i.service = ${service}::text and i.external_id = r.match_qid
    where r.project_id = ${projectId}::bigint and r.absent_since is null
      and coalesce(r.service, ${service}::text) = ${service}::text
      and i.state in ('merged', 'missing')`
}
