/** How an extraction stands, counted from what is stored: true after any restart. */
import { sql } from 'kysely'
import type { TypeState } from '../core/extract/extract-run.ts'
import type { Db } from './connect.ts'
import type { LandedItems } from './extract-landing.ts'

export interface TypeReport {
  readonly type: string
  readonly dataset: string
  readonly state: TypeState
  readonly code: string | null
  readonly message: string | null
  readonly pages: number
  readonly rows: number
  /** Distinct ids. */
  readonly items: number
  /** What the source says there are; null: it does not say. */
  readonly total: number | null
  /** Items whose details came; 0 where none are asked. */
  readonly details: number
  readonly detailsOpen: number
  readonly errors: number
  readonly landed: LandedItems | null
}

export async function typeReports(db: Db, runId: number): Promise<readonly TypeReport[]> {
  const { rows } = await sql<TypeReport>`
    select c.type, c.dataset, c.state, c.code, c.message, c.pages_done as pages, c.rows_done as rows,
      c.last_total as total, c.landed, items.items, items.details, items.open as "detailsOpen",
      (select count(*) from extract_error e where e.run_id = c.run_id and e.type = c.type) as errors
    from extract_checkpoint c
    join extract_run r on r.id = c.run_id
    cross join lateral (
      select count(*) as items, count(*) filter (where i.detail = 'stored') as details,
        count(*) filter (where i.detail = 'open') as open
      from extract_item i where i.run_id = c.run_id and i.type = c.type
    ) as items
    cross join lateral (
      select min(n.number) as place from jsonb_array_elements_text(r.types) with ordinality as n (name, number)
      where n.name = c.type
    ) as place
    where c.run_id = ${runId}::bigint
    order by place.place`.execute(db)
  return rows
}

/** Cheap enough to ask every second: nothing is counted but checkpoints. */
export async function extractProgress(
  db: Db,
  runId: number,
): Promise<
  readonly { readonly type: string; readonly rows: number; readonly total: number | null }[]
> {
  return db
    .selectFrom('extract_checkpoint')
    .where('run_id', '=', runId)
    .select(['type', 'rows_done as rows', 'last_total as total'])
    .orderBy('type')
    .execute()
}

export interface ExtractErrorRow {
  readonly type: string
  readonly item: string | null
  readonly position: number | null
  readonly worker: string
  readonly attempt: number
  readonly code: string
  readonly message: string
  readonly at: Date
}

/** What could not be read, in order of time. */
export async function extractErrors(
  db: Db,
  runId: number,
  most: number,
): Promise<readonly ExtractErrorRow[]> {
  return db
    .selectFrom('extract_error')
    .where('run_id', '=', runId)
    .select(['type', 'item_id as item', 'position', 'worker', 'attempt', 'code', 'message', 'at'])
    .orderBy('id')
    .limit(most)
    .execute()
}

/** Of the last whole run of a source: pages and items of each type, for an estimate. */
export async function lastSizes(
  db: Db,
  source: string,
): Promise<ReadonlyMap<string, { readonly pages: number; readonly items: number }>> {
  const { rows } = await sql<{ type: string; pages: number; items: number }>`
    select distinct on (c.type) c.type, c.pages_done as pages, c.rows_done as items
    from extract_checkpoint c
    join extract_run r on r.id = c.run_id
    where r.source = ${source}::text and c.state = 'complete'
      and (r.options -> 'since' ->> c.type) is null
    order by c.type, r.id desc`.execute(db)
  return new Map(rows.map(({ type, ...sizes }) => [type, sizes]))
}
