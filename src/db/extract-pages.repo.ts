/**
 * Pages of an extraction. A page, its items and the checkpoint of its type are one transaction: whatever is killed, a
 * page is either stored with all of it, or asked again. The second of two attempts finds it stored.
 */
import { sql } from 'kysely'
import type { PageResult } from '../core/extract/page-plan.ts'
import type { PageVerdict } from '../core/extract/paginator.ts'
import type { Db } from './connect.ts'
import { itemsOfPage } from './extract-items.repo.ts'
import { prepared } from './prepared.ts'
import { sha256 } from './sha256.ts'

export interface TypeKey {
  readonly runId: number
  readonly type: string
}

export interface PageKey extends TypeKey {
  readonly position: number
}

export interface FreshItem {
  readonly id: string
  readonly ordinal: number
  /** JSON. */
  readonly body: string
}

export interface FreshPage {
  readonly asked: number
  /** Rows that came, those without an id included. */
  readonly rows: number
  readonly rowsWithoutId: number
  readonly items: readonly FreshItem[]
  readonly next: string | null
  readonly total: number | null
  /** More is asked for each of its items. */
  readonly hasDetails: boolean
  readonly worker: string
}

/**
 * Stores a page with its items, and moves the checkpoint.
 * @param judge what the page means for the list
 * @returns undefined: the run is closed. A page that another attempt has stored meanwhile stays as it is.
 */
export async function storePage(
  db: Db,
  key: PageKey,
  page: FreshPage,
  judge: (facts: { readonly isRepeat: boolean; readonly pagesBefore: number }) => PageVerdict,
): Promise<PageResult | undefined> {
  const ids = page.items.map(({ id }) => id)
  const hashes = {
    ids: ids.length === 0 ? null : sha256(JSON.stringify(ids)),
    next: page.next === null ? null : sha256(page.next),
  }
  return db.transaction().execute(async (tx) => {
    const checkpoint = await lockCheckpoint(tx, key)
    if (checkpoint === undefined) return undefined
    // After the lock and not with it: a statement sees what was there when it began to wait.
    const { stored, isRepeat } = await whatIsStored(tx, key, hashes)
    if (stored !== null) return stored
    const verdict = judge({ isRepeat, pagesBefore: checkpoint.pagesDone })
    await writePage(tx, key, page, hashes, verdict)
    const { advance, size, isLast } = verdict
    return { state: 'stored', rows: page.rows, advance, size, isLast, total: page.total }
  })
}

interface PageHashes {
  readonly ids: Buffer | null
  readonly next: Buffer | null
}

/** The page with its items, and the checkpoint behind it, in one statement. */
async function writePage(
  tx: Db,
  key: PageKey,
  page: FreshPage,
  hashes: PageHashes,
  verdict: PageVerdict,
): Promise<void> {
  const { runId, type, position } = key
  const isWhole = !page.hasDetails || page.items.length === 0
  await sql`${prepared}
    with ${itemsOfPage(key, page.items, page.hasDetails)},
    stored_page as (
      insert into extract_page (run_id, type, position, state, asked, rows, advance, next_size, is_last, total,
        next_cursor, next_hash, ids_hash, details_done, worker, next_attempt_at, stored_at)
      values (${runId}::bigint, ${type}::text, ${position}::bigint, 'stored', ${page.asked}::integer,
        ${page.rows}::integer, ${verdict.advance}::integer, ${verdict.size}::integer, ${verdict.isLast}::boolean,
        ${page.total}::bigint, ${page.next}::text, ${hashes.next}::bytea, ${hashes.ids}::bytea,
        ${isWhole}::boolean, ${page.worker}::text, null, now())
      on conflict (run_id, type, position) do update
      set state = excluded.state, asked = excluded.asked, rows = excluded.rows, advance = excluded.advance,
        next_size = excluded.next_size, is_last = excluded.is_last, total = excluded.total,
        next_cursor = excluded.next_cursor, next_hash = excluded.next_hash, ids_hash = excluded.ids_hash,
        details_done = excluded.details_done, worker = excluded.worker, next_attempt_at = null,
        stored_at = excluded.stored_at
    )
    update extract_checkpoint
    set pages_done = pages_done + 1, rows_done = rows_done + ${page.rows}::integer,
      rows_without_id = rows_without_id + ${page.rowsWithoutId}::integer,
      page_size = least(page_size, ${verdict.size}::integer),
      first_total = coalesce(first_total, ${page.total}::bigint),
      last_total = coalesce(${page.total}::bigint, last_total),
      problem = coalesce(problem, ${verdict.problem}::text)
    where run_id = ${runId}::bigint and type = ${type}::text`.execute(tx)
}

export interface PageTrouble {
  readonly code: string
  readonly message: string
  /** null: never */
  readonly retryInMs: number | null
  /** What to ask for next time. */
  readonly size: number
  readonly worker: string
}

/** Notes a failed attempt, unless the run is closed or the page stored; the last one is kept as an error. */
export async function notePageTrouble(
  db: Db,
  key: PageKey,
  asked: number,
  trouble: PageTrouble,
): Promise<void> {
  const { code, message, retryInMs, size, worker } = trouble
  const state = retryInMs === null ? 'failed' : 'open'
  await db.transaction().execute(async (tx) => {
    if ((await lockCheckpoint(tx, key)) === undefined) return
    const { rows } = await sql<{ attempts: number }>`
      insert into extract_page as p (run_id, type, position, state, asked, advance, next_size, attempts,
        attempts_at_size, next_attempt_at, error_code, error_message, worker)
      values (${key.runId}::bigint, ${key.type}::text, ${key.position}::bigint, ${state}::text, ${size}::integer,
        ${asked}::integer, ${size}::integer, 1, ${size === asked ? 1 : 0}::integer,
        now() + ${retryInMs}::float8 * interval '1 ms', ${code}::text, ${message}::text, ${worker}::text)
      on conflict (run_id, type, position) do update
      set state = excluded.state, asked = excluded.asked, advance = excluded.advance,
        next_size = excluded.next_size, attempts = p.attempts + 1,
        attempts_at_size = case when excluded.asked = p.asked then p.attempts_at_size + 1 else 0 end,
        next_attempt_at = excluded.next_attempt_at, error_code = excluded.error_code,
        error_message = excluded.error_message, worker = excluded.worker
      where p.state = 'open'
      returning p.attempts`.execute(tx)
    const attempt = rows[0]?.attempts
    if (state !== 'failed' || attempt === undefined) return
    await tx
      .insertInto('extract_error')
      .values({
        run_id: key.runId,
        type: key.type,
        position: key.position,
        worker,
        attempt,
        code,
        message,
      })
      .execute()
  })
}

/** Nothing more is asked for the items of a page. */
export async function endPageDetails(db: Db, key: PageKey): Promise<void> {
  await db
    .updateTable('extract_page')
    .set({ details_done: true })
    .where('run_id', '=', key.runId)
    .where('type', '=', key.type)
    .where('position', '=', key.position)
    .execute()
}

/** Pages of a type are stored one after the other, and none once the run is closed. */
async function lockCheckpoint(
  tx: Db,
  { runId, type }: TypeKey,
): Promise<{ readonly pagesDone: number } | undefined> {
  const { rows } = await sql<{ pagesDone: number }>`
    select c.pages_done as "pagesDone"
    from extract_checkpoint c
    join extract_run r on r.id = c.run_id
    where c.run_id = ${runId}::bigint and c.type = ${type}::text and r.status = 'open'
    for update of c for share of r`.execute(tx)
  return rows[0]
}

/** The page, where another attempt was faster; and whether another page had these items, or named this next page. */
async function whatIsStored(
  tx: Db,
  { runId, type, position }: PageKey,
  { ids, next }: PageHashes,
): Promise<{ readonly stored: PageResult | null; readonly isRepeat: boolean }> {
  const another = sql`
    extract_page where run_id = ${runId}::bigint and type = ${type}::text and position <> ${position}::bigint`
  const { rows } = await sql<{ stored: PageResult | null; isRepeat: boolean }>`${prepared}
    select
      (select json_build_object('state', state, 'rows', rows, 'advance', advance, 'size', next_size,
          'isLast', is_last, 'total', total)
        from extract_page
        where run_id = ${runId}::bigint and type = ${type}::text and position = ${position}::bigint
          and state <> 'open') as stored,
      exists (select from ${another} and ids_hash = ${ids}::bytea)
        or exists (select from ${another} and next_hash = ${next}::bytea) as "isRepeat"`.execute(tx)
  return rows[0] ?? { stored: null, isRepeat: false }
}
