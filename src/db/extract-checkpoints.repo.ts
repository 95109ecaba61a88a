import { sql } from 'kysely'
import type { TypeState } from '../core/extract/extract-run.ts'
import type { ListingFacts } from '../core/extract/listing-verdict.ts'
import type { Db } from './connect.ts'
import type { LandedItems } from './extract-landing.ts'
import type { TypeKey } from './extract-pages.repo.ts'

export interface Checkpoint {
  readonly dataset: string
  readonly state: TypeState
  readonly pageSize: number
  readonly pagesDone: number
}

export async function findCheckpoint(
  db: Db,
  { runId, type }: TypeKey,
): Promise<Checkpoint | undefined> {
  return db
    .selectFrom('extract_checkpoint')
    .where('run_id', '=', runId)
    .where('type', '=', type)
    .select(['dataset', 'state', 'page_size as pageSize', 'pages_done as pagesDone'])
    .executeTakeFirst()
}

/** How many items the next pages of a type are asked for, while nobody reads it. */
export async function setPageSize(
  db: Db,
  { runId, type }: TypeKey,
  pageSize: number,
): Promise<void> {
  await db
    .updateTable('extract_checkpoint')
    .set({ page_size: pageSize })
    .where('run_id', '=', runId)
    .where('type', '=', type)
    .execute()
}

/** The types of a run that are not over, in the order of the profile. */
export async function openTypes(db: Db, runId: number): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('extract_checkpoint')
    .where('run_id', '=', runId)
    .where('state', '=', 'open')
    .select('type')
    .execute()
  return new Set(rows.map(({ type }) => type))
}

/**
 * Where a list goes on: behind the pages that are stored, with all that is asked for their items, or given up, without a
 * gap before.
 * @returns `isListed`: the last of them ends the list
 */
export async function resumePosition(
  db: Db,
  { runId, type }: TypeKey,
): Promise<{ readonly next: number; readonly isListed: boolean }> {
  const rows = await db
    .selectFrom('extract_page')
    .where('run_id', '=', runId)
    .where('type', '=', type)
    .where((eb) =>
      eb.or([
        eb('state', '=', 'failed'),
        eb.and([eb('state', '=', 'stored'), eb('details_done', '=', true)]),
      ]),
    )
    .select(['position', 'advance', 'is_last as isLast'])
    .orderBy('position')
    .execute()
  let next = 0
  for (const { position, advance, isLast } of rows) {
    if (position !== next) break
    if (isLast && position === rows.at(-1)?.position) return { next, isListed: true }
    next += advance
  }
  return { next, isListed: false }
}

/** What the pages of a type add up to. */
export async function listingFacts(
  db: Db,
  { runId, type }: TypeKey,
): Promise<ListingFacts & { readonly pages: number }> {
  const { rows } = await sql<ListingFacts & { readonly pages: number }>`
    select (select count(*) from extract_page p where p.run_id = c.run_id and p.type = c.type) as pages,
      c.problem, c.rows_without_id as "rowsWithoutId", c.first_total as "firstTotal",
      c.last_total as "lastTotal", c.rows_done - c.rows_without_id as rows,
      (select count(*) from extract_item i where i.run_id = c.run_id and i.type = c.type) as "distinctIds",
      (select count(*) from extract_page p where p.run_id = c.run_id and p.type = c.type
        and p.state = 'failed') as "failedPages",
      exists (
        select from extract_page p
        where p.run_id = c.run_id and p.type = c.type and p.is_last and exists (
          select from extract_page later
          where later.run_id = p.run_id and later.type = p.type and later.position > p.position
            and later.rows > 0)
      ) as "hasShortPage"
    from extract_checkpoint c
    where c.run_id = ${runId}::bigint and c.type = ${type}::text`.execute(db)
  const [facts] = rows
  if (facts === undefined) throw new TypeError('expected a content type of the run')
  return facts
}

/** Ends a type, or leaves it as it has ended. */
export async function endType(
  db: Db,
  { runId, type }: TypeKey,
  end: {
    readonly state: Exclude<TypeState, 'open'>
    readonly code: string | null
    readonly message: string | null
    readonly landed?: LandedItems
  },
): Promise<void> {
  await db
    .updateTable('extract_checkpoint')
    .set({
      state: end.state,
      code: end.code,
      message: end.message,
      ...(end.landed === undefined ? {} : { landed: JSON.stringify(end.landed) }),
      completed_at: sql<Date>`now()`,
    })
    .where('run_id', '=', runId)
    .where('type', '=', type)
    .where('state', '=', 'open')
    .execute()
}

/** Whether everything of a run was read: its types are complete, and nothing failed. */
export async function isWhole(db: Db, runId: number): Promise<boolean> {
  const { rows } = await sql<{ isWhole: boolean }>`
    select not exists (
        select from extract_checkpoint c where c.run_id = ${runId}::bigint and c.state <> 'complete')
      and not exists (select from extract_error e where e.run_id = ${runId}::bigint) as "isWhole"`.execute(
    db,
  )
  return rows[0]?.isWhole === true
}
