/**
 * Pages of an extraction. A page, its items and the checkpoint of its type are one transaction: whatever is killed, a
 * page is either stored with all of it, or asked again. The second of two attempts finds it stored.
 */
import { sql } from 'kysely'
import type { PageResult } from '../core/extract/page-plan.ts'
import type { PageVerdict } from '../core/extract/paginator.ts'
import type { Db } from './connect.ts'
import { putItems } from './extract-items.repo.ts'
import { sha256 } from './sha256.ts'

export interface TypeKey {
  readonly runId: number
  readonly type: string
}

export interface PageKey extends TypeKey {
  readonly position: number
}

export interface KnownPage extends PageResult {
  readonly isOpen: boolean
  readonly asked: number
  readonly attempts: number
  readonly attemptsAtSize: number
  /** null: at once */
  readonly waitMs: number | null
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

/** What is known of a page; undefined: it was never tried. */
export async function findPage(db: Db, key: PageKey): Promise<KnownPage | undefined> {
  const row = await pageRow(db, key)
    .select([
      'state',
      'asked',
      'rows',
      'advance',
      'next_size as size',
      'is_last as isLast',
      'total',
      'attempts',
      'attempts_at_size as attemptsAtSize',
      sql<number | null>`(extract(epoch from next_attempt_at - now()) * 1000)::float8`.as('waitMs'),
    ])
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    ...row,
    state: row.state === 'failed' ? 'failed' : 'stored',
    isOpen: row.state === 'open',
  }
}

/** What the page before named as the next one; null: nothing, or there is none before. */
export async function cursorBefore(db: Db, { position, ...key }: PageKey): Promise<string | null> {
  if (position === 0) return null
  const row = await pageRow(db, { ...key, position: position - 1 })
    .select('next_cursor')
    .executeTakeFirst()
  return row?.next_cursor ?? null
}

/** A stored page that begins before a position and reaches beyond it. */
export interface CoveringPage {
  readonly position: number
  readonly rows: number
  readonly advance: number
  readonly isLast: boolean
  readonly total: number | null
}

export interface StoredAround {
  /** Null: none does. */
  readonly covering: CoveringPage | null
  /** Where the first page behind the position begins; null: none is stored. */
  readonly next: number | null
}

/**
 * Stored pages that a page at this position would meet: an earlier execution may have read with another size. Asked for
 * each page of a list, so it looks at its neighbours only: stored pages do not lie in each other.
 */
export async function storedAround(
  db: Db,
  { runId, type, position }: PageKey,
): Promise<StoredAround> {
  const stored = sql`
    extract_page where run_id = ${runId}::bigint and type = ${type}::text and state = 'stored'`
  const { rows } = await sql<StoredAround>`
    select
      (select json_build_object('position', position, 'rows', rows, 'advance', advance, 'isLast', is_last,
          'total', total)
        from (
          select * from ${stored} and position < ${position}::bigint order by position desc limit 1
        ) as before
        where position + advance > ${position}::bigint) as covering,
      (select min(position) from ${stored} and position > ${position}::bigint) as next`.execute(db)
  return rows[0] ?? { covering: null, next: null }
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
  return db.transaction().execute(async (tx) => {
    const checkpoint = await lockCheckpoint(tx, key)
    if (checkpoint === undefined) return undefined
    const stored = await findPage(tx, key)
    if (stored?.isOpen === false) return stored
    const ids = page.items.map(({ id }) => id)
    const idsHash = ids.length === 0 ? null : sha256(JSON.stringify(ids))
    const nextHash = page.next === null ? null : sha256(page.next)
    const isRepeat = await isSeen(tx, key, idsHash, nextHash)
    const verdict = judge({ isRepeat, pagesBefore: checkpoint.pagesDone })
    const result = {
      rows: page.rows,
      advance: verdict.advance,
      next_size: verdict.size,
      is_last: verdict.isLast,
      total: page.total,
    }
    const values = {
      ...result,
      state: 'stored' as const,
      asked: page.asked,
      next_cursor: page.next,
      next_hash: nextHash,
      ids_hash: idsHash,
      details_done: !page.hasDetails || page.items.length === 0,
      worker: page.worker,
      next_attempt_at: null,
      stored_at: sql<Date>`now()`,
    }
    await tx
      .insertInto('extract_page')
      .values({ run_id: key.runId, type: key.type, position: key.position, ...values })
      .onConflict((conflict) =>
        conflict.columns(['run_id', 'type', 'position']).doUpdateSet(values),
      )
      .execute()
    await putItems(tx, key, page.items, page.hasDetails)
    await sql`
      update extract_checkpoint
      set pages_done = pages_done + 1, rows_done = rows_done + ${page.rows}::integer,
        rows_without_id = rows_without_id + ${page.rowsWithoutId}::integer,
        page_size = least(page_size, ${verdict.size}::integer),
        first_total = coalesce(first_total, ${page.total}::bigint),
        last_total = coalesce(${page.total}::bigint, last_total),
        problem = coalesce(problem, ${verdict.problem}::text)
      where run_id = ${key.runId}::bigint and type = ${key.type}::text`.execute(tx)
    const { next_size: size, is_last: isLast, ...told } = result
    return { ...told, size, isLast, state: 'stored' }
  })
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

function pageRow(db: Db, { runId, type, position }: PageKey) {
  return db
    .selectFrom('extract_page')
    .where('run_id', '=', runId)
    .where('type', '=', type)
    .where('position', '=', position)
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

/** Another page had these items, or named this next page. */
async function isSeen(
  tx: Db,
  { runId, type, position }: PageKey,
  idsHash: Buffer | null,
  nextHash: Buffer | null,
): Promise<boolean> {
  const row = await tx
    .selectFrom('extract_page')
    .where('run_id', '=', runId)
    .where('type', '=', type)
    .where('position', '<>', position)
    .where((eb) => eb.or([eb('ids_hash', '=', idsHash), eb('next_hash', '=', nextHash)]))
    .select('position')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
