import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connect.ts'
import type { FreshItem, PageKey } from './extract-pages.repo.ts'
import { sha256 } from './sha256.ts'

export interface OpenDetail {
  readonly id: string
  /** JSON: what the list said. */
  readonly body: string
  readonly attempts: number
}

/**
 * Parts of a `with` that put the items of a page into the run; one that an earlier page had keeps its place and gets the
 * newer content.
 */
export function itemsOfPage(
  { runId, type, position }: PageKey,
  items: readonly FreshItem[],
  hasDetails: boolean,
): RawBuilder<unknown> {
  const last = new Map(items.map((item) => [item.id, item]))
  const rows = [...last.values()].map((item) => ({ ...item, hash: sha256(item.body) }))
  return sql`
    fresh as materialized (
      select * from unnest(
        ${rows.map(({ id }) => id)}::text[],
        ${rows.map(({ ordinal }) => ordinal)}::integer[],
        ${rows.map(({ hash }) => hash)}::bytea[],
        ${rows.map(({ body }) => body)}::text[]
      ) as fresh (id, ordinal, hash, body)
    ),
    stored_bodies as (${putBodies(sql`fresh`)}),
    stored_items as (
      insert into extract_item as i (run_id, type, item_id, position, ordinal, content_hash, detail)
      select ${runId}::bigint, ${type}::text, fresh.id, ${position}::bigint, fresh.ordinal,
        fresh.hash, ${hasDetails ? 'open' : null}::text
      from fresh
      on conflict (run_id, type, item_id) do update
      set content_hash = case when i.detail = 'stored' then i.content_hash else excluded.content_hash end
    )`
}

// Everybody inserts in the same order, so that nobody waits for somebody who waits for them.
function putBodies(fresh: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into extract_body (hash, body)
    select distinct on (fresh.hash) fresh.hash, fresh.body::json
    from ${fresh}
    order by fresh.hash
    on conflict (hash) do nothing`
}

/** Items of a page for which more is to be asked, those that are due first; none may be due yet. */
export async function openDetails(
  db: Db,
  { runId, type, position }: PageKey,
): Promise<{ readonly due: readonly OpenDetail[]; readonly waitMs: number | null }> {
  const { rows } = await sql<OpenDetail & { readonly waitMs: number }>`
    select i.item_id as id, b.body::text as body, i.attempts,
      coalesce(extract(epoch from i.next_attempt_at - now()) * 1000, 0)::float8 as "waitMs"
    from extract_item i
    join extract_body b on b.hash = i.content_hash
    where i.run_id = ${runId}::bigint and i.type = ${type}::text and i.position = ${position}::bigint
      and i.detail = 'open'
    order by i.ordinal`.execute(db)
  const due = rows.filter(({ waitMs }) => waitMs <= 0)
  const waits = rows.filter(({ waitMs }) => waitMs > 0).map(({ waitMs }) => waitMs)
  return { due, waitMs: waits.length === 0 ? null : Math.min(...waits) }
}

/** Keeps an item with its details. */
export async function storeDetail(
  db: Db,
  { runId, type }: PageKey,
  id: string,
  body: string,
): Promise<void> {
  const hash = sha256(body)
  await db.transaction().execute(async (tx) => {
    await putBodies(sql`(select ${hash}::bytea as hash, ${body}::text as body) as fresh`).execute(
      tx,
    )
    await tx
      .updateTable('extract_item')
      .set({ content_hash: hash, detail: 'stored', next_attempt_at: null })
      .where('run_id', '=', runId)
      .where('type', '=', type)
      .where('item_id', '=', id)
      .execute()
  })
}

export interface DetailTrouble {
  readonly code: string
  readonly message: string
  /** null: never */
  readonly retryInMs: number | null
  readonly worker: string
}

/** Notes a failed attempt; the last one is kept as an error, and the item stays as the list said. */
export async function noteDetailTrouble(
  db: Db,
  { runId, type, position }: PageKey,
  id: string,
  { code, message, retryInMs, worker }: DetailTrouble,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const row = await tx
      .updateTable('extract_item')
      .set({
        attempts: sql`attempts + 1`,
        detail: retryInMs === null ? 'failed' : 'open',
        next_attempt_at: sql<Date>`now() + ${retryInMs}::float8 * interval '1 ms'`,
      })
      .where('run_id', '=', runId)
      .where('type', '=', type)
      .where('item_id', '=', id)
      .where('detail', '=', 'open')
      .returning('attempts')
      .executeTakeFirst()
    if (row === undefined || retryInMs !== null) return
    const attempt = row.attempts
    await tx
      .insertInto('extract_error')
      .values({ run_id: runId, type, item_id: id, position, worker, attempt, code, message })
      .execute()
  })
}
