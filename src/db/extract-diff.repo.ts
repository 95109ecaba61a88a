import { sql } from 'kysely'
import type { Db } from './connect.ts'
import { readCursor } from './read-cursor.ts'

/** Two runs, and the types that both have read, in the order in which they are told. */
export interface TwoExtractions {
  readonly from: number
  readonly to: number
  readonly types: readonly string[]
}

/** An item of which two runs have not kept the same. null: that run has not seen it. */
export interface ItemThenAndNow {
  readonly type: string
  readonly id: string
  /** JSON, as are those of `after`. */
  readonly before: string | null
  readonly after: string | null
  /** One of the runs could not read its details, so the rest says nothing. */
  readonly isUnclear: boolean
}

/** Reads what differs by content, type by type; added and changed items in the order of the later list, then those gone. */
export async function readItemChanges(
  db: Db,
  { from, to, types }: TwoExtractions,
  onPage: (page: readonly ItemThenAndNow[]) => Promise<void>,
): Promise<void> {
  const itemsOf = (run: number) => sql`(
    select * from extract_item i where i.run_id = ${run}::bigint and i.type = any(${types}::text[]))`
  await readCursor(
    db,
    sql<ItemThenAndNow>`
      select coalesce(a.type, b.type) as type, coalesce(a.item_id, b.item_id) as id,
        before.body::text as before, after.body::text as after,
        a.item_id is not null and b.item_id is not null
          and a.detail is distinct from b.detail as "isUnclear"
      from ${itemsOf(from)} a
      full join ${itemsOf(to)} b on b.type = a.type and b.item_id = a.item_id
      left join extract_body before on before.hash = a.content_hash
      left join extract_body after on after.hash = b.content_hash
      where a.content_hash is distinct from b.content_hash
      order by array_position(${types}::text[], coalesce(a.type, b.type)),
        b.position nulls last, b.ordinal, a.position, a.ordinal`,
    onPage,
  )
}

/** Items of each type of a run. */
export async function countItems(db: Db, runId: number): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ type: string; items: number }>`
    select i.type, count(*) as items from extract_item i
    where i.run_id = ${runId}::bigint group by i.type`.execute(db)
  return new Map(rows.map(({ type, items }) => [type, items]))
}
