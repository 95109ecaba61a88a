import { sql } from 'kysely'
import type { ItemToFetch } from '../core/wikidata/fetch-plan.ts'
import { isChanged } from '../core/wikidata/changed-facts.ts'
import { holds, type ItemFacts, type WantedFacts } from '../core/wikidata/item-facts.ts'
import type { ProvideItems, ShelvedItem } from '../core/wikidata/item-shelf.ts'
import { isClaimable } from './claim.ts'
import type { Db } from './connect.ts'
import type { TaskKey } from './task-subjects.repo.ts'

/** What the table says of an item. */
interface ItemRow {
  readonly id: string
  /** null: never fetched. */
  readonly facts: ItemFacts | null
  readonly failure: { readonly code: string; readonly message: string } | null
}

/** Of an item that is not there nothing more has to be known. */
const FACTS = sql`case when i.facts_at is not null or i.state = 'missing' then jsonb_build_object(
  'askedId', i.external_id,
  'id', case i.state when 'missing' then null when 'merged' then i.merged_into else i.external_id end,
  'labels', coalesce(i.labels, '{}'), 'aliases', coalesce(i.aliases, '{}'),
  'descriptions', coalesce(i.descriptions, '{}'), 'properties', coalesce(i.properties, '{}'),
  'revision', i.revision, 'sitelinks', i.sitelinks, 'heldLanguages', coalesce(i.held_languages, '{}'),
  'heldPids', coalesce(i.held_pids, '{}')) end`

/** Reads what is known of items, and nothing else: an item that lacks what is wanted is not among the result. */
export function knownItems(db: Db, service: string): ProvideItems {
  return async (ids, wanted) => {
    const shelved = new Map<string, ShelvedItem>()
    for (const row of await itemRows(db, service, ids)) {
      const item = shelvedItem(row, wanted)
      if (item !== undefined) shelved.set(row.id, item)
    }
    return shelved
  }
}

/** With what is held of them, so that nothing of it is lost when they are fetched. */
export async function itemsToFetch(
  db: Db,
  service: string,
  ids: readonly string[],
): Promise<readonly ItemToFetch[]> {
  const held = new Map((await itemRows(db, service, ids)).map((row) => [row.id, row.facts]))
  return ids.map((id) => ({ id, attempts: 0, facts: held.get(id) ?? null }))
}

async function itemRows(
  db: Db,
  service: string,
  ids: readonly string[],
): Promise<readonly ItemRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<ItemRow>`
    select i.external_id as id, ${FACTS} as facts,
      case when i.has_failed then jsonb_build_object('code', i.error_code, 'message', i.error_message) end as failure
    from item i
    where i.service = ${service}::text and i.external_id = any(${ids}::text[])`.execute(db)
  return rows
}

function shelvedItem({ facts, failure }: ItemRow, wanted: WantedFacts): ShelvedItem | undefined {
  if (facts !== null && holds(facts, wanted)) return { status: 'known', facts }
  return failure === null ? undefined : { status: 'failed', ...failure }
}

/** An item that this task is to fetch. */
export interface ClaimedItem {
  readonly id: string
  readonly attempts: number
  /** Not before so many ms from now; 0 when it can be fetched at once. */
  readonly waitMs: number
  readonly facts: ItemFacts | null
}

/** Claims items to fetch (`isClaimable`). @returns those it got; the others are being fetched by another open task. */
export async function claimItems(
  db: Db,
  service: string,
  key: TaskKey,
  ids: readonly string[],
): Promise<readonly ClaimedItem[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<ClaimedItem>`
    insert into item as i (service, external_id, types, claimed_run_id, claimed_task, claimed_at)
    select ${service}::text, id, '[]'::jsonb, ${key.runId}::bigint, ${key.task}::integer, clock_timestamp()
    from unnest(${[...ids].sort()}::text[]) as wanted (id)
    on conflict (service, external_id) do update
    set claimed_run_id = excluded.claimed_run_id, claimed_task = excluded.claimed_task,
      claimed_at = excluded.claimed_at
    where ${isClaimable('i', key)}
    returning i.external_id as id, i.attempts,
      greatest(0, coalesce(extract(epoch from (i.next_attempt_at - clock_timestamp())) * 1000, 0))::integer as "waitMs",
      ${FACTS} as facts`.execute(db)
  return rows
}

/**
 * Replaces what is known of items, of merged ones under both ids; the claims on them end. Records whose judged item is
 * another than it was become stale; what was judged stays.
 */
export async function storeItems(
  db: Db,
  service: string,
  items: readonly ItemFacts[],
): Promise<void> {
  if (items.length === 0) return
  const targets = items.flatMap((item) => (item.id === null ? [] : [{ ...item, askedId: item.id }]))
  const asked = new Set(items.map(({ askedId }) => askedId))
  const byId = new Map([...targets, ...items].map((item) => [item.askedId, item]))
  const sorted = [...byId.values()].sort((a, b) => (a.askedId < b.askedId ? -1 : 1))
  await db.transaction().execute(async (tx) => {
    const held = await heldFacts(
      tx,
      service,
      sorted.map(({ askedId }) => askedId),
    )
    // The new item of a merged one was not asked for: what more is known of it stays.
    const fresh = sorted.filter(
      (item) => asked.has(item.askedId) || isAllOf(item, held.get(item.askedId)),
    )
    const changed = fresh.filter((item) => {
      const before = held.get(item.askedId)
      return before !== undefined && isChanged(before, item)
    })
    await writeItems(tx, service, fresh)
    await markJudged(
      tx,
      service,
      changed.map(({ askedId }) => askedId),
    )
  })
}

function isAllOf(fresh: ItemFacts, held: ItemFacts | undefined): boolean {
  if (held === undefined || held.id !== held.askedId) return true
  return holds(fresh, { languages: held.heldLanguages, pids: held.heldPids })
}

/** Locks the rows in order of their ids, as whoever writes several of them does. */
async function heldFacts(
  tx: Db,
  service: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ItemFacts>> {
  const { rows } = await sql<{ id: string; facts: ItemFacts | null }>`
    select i.external_id as id, case when i.facts_at is not null then ${FACTS} end as facts
    from item i
    where i.service = ${service}::text and i.external_id = any(${ids}::text[])
    order by i.external_id for update`.execute(tx)
  return new Map(rows.flatMap(({ id, facts }) => (facts === null ? [] : [[id, facts] as const])))
}

async function writeItems(tx: Db, service: string, items: readonly ItemFacts[]): Promise<void> {
  // Should it come back, all of it is to be fetched.
  const rows = items.map((item) =>
    item.id === null ? { ...item, heldLanguages: [], heldPids: [] } : item,
  )
  await sql`
    insert into item as i (service, external_id, types, state, merged_into, labels, aliases, descriptions, properties,
      revision, sitelinks, held_languages, held_pids, facts_at, checked_at)
    select ${service}::text, f."askedId", '[]'::jsonb,
      case when f.id is null then 'missing' when f.id = f."askedId" then 'present' else 'merged' end,
      case when f.id <> f."askedId" then f.id end, f.labels, f.aliases, f.descriptions, f.properties,
      f.revision, f.sitelinks, array(select jsonb_array_elements_text(f."heldLanguages")),
      array(select jsonb_array_elements_text(f."heldPids")), now(), now()
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as f ("askedId" text, id text, labels jsonb,
      aliases jsonb, descriptions jsonb, properties jsonb, revision bigint, sitelinks integer, "heldLanguages" jsonb, "heldPids" jsonb)
    on conflict (service, external_id) do update
    set state = excluded.state, merged_into = excluded.merged_into, labels = excluded.labels,
      aliases = excluded.aliases, descriptions = excluded.descriptions, properties = excluded.properties,
      revision = excluded.revision, sitelinks = coalesce(excluded.sitelinks, i.sitelinks), held_languages = excluded.held_languages, held_pids = excluded.held_pids,
      facts_at = excluded.facts_at, checked_at = excluded.checked_at,
      attempts = 0, next_attempt_at = null, error_code = null, error_message = null, has_failed = false,
      claimed_run_id = null, claimed_task = null, claimed_at = null`.execute(tx)
}

async function markJudged(tx: Db, service: string, changed: readonly string[]): Promise<void> {
  if (changed.length === 0) return
  await sql`
    update subject s set item_changed_at = clock_timestamp()
    from current_judgment j
    where j.subject_id = s.id and j.verdict = 'match' and j.external_id = any(${changed}::text[])
      and exists (
        select 1 from subject_lookup sl join lookup l on l.id = sl.lookup_id
        where sl.subject_id = s.id and l.service = ${service}::text)`.execute(tx)
}

export interface ItemFailure {
  readonly id: string
  readonly code: string
  readonly message: string
  /** Ask again after so many ms; null: not in this run. */
  readonly retryInMs: number | null
}

/** Counts one failed attempt of each item, and ends or postpones it. */
export async function storeItemFailures(
  db: Db,
  service: string,
  failures: readonly ItemFailure[],
): Promise<void> {
  if (failures.length === 0) return
  await sql`
    update item i
    set attempts = i.attempts + 1, has_failed = f.retry_in_ms is null,
      next_attempt_at = clock_timestamp() + f.retry_in_ms * interval '1 millisecond',
      error_code = f.code, error_message = f.message
    from unnest(
      ${failures.map((one) => one.id)}::text[],
      ${failures.map((one) => one.code)}::text[],
      ${failures.map((one) => one.message)}::text[],
      ${failures.map((one) => one.retryInMs)}::integer[]
    ) as f (id, code, message, retry_in_ms)
    where i.service = ${service}::text and i.external_id = f.id`.execute(db)
}

/** Items that could not be fetched in an earlier run may be asked for again, with all their attempts. */
export async function reopenFailedItems(db: Db, service: string): Promise<void> {
  await sql`
    update item
    set has_failed = false, attempts = 0, next_attempt_at = null, error_code = null, error_message = null
    where service = ${service}::text and has_failed`.execute(db)
}
