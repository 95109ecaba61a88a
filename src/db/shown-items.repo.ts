/** What people who review look at beside what is compared. */
import { sql } from 'kysely'
import { IMAGE } from '../core/wikidata/item-needs.ts'
import type { Db } from './connect.ts'

export interface ShownItem {
  readonly id: string
  /** Name of the file of its picture; '': it states none; null: not asked for. */
  readonly image: string | null
  /** Pages of Wikipedia and its sisters that are linked to it; null: not asked for. */
  readonly sitelinks: number | null
}

/** Those of the items that are known at all. A merged one has a row of its own that says what the new one is. */
export async function shownItems(
  db: Db,
  service: string,
  ids: readonly string[],
): Promise<readonly ShownItem[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<ShownItem>`
    select asked.id, i.sitelinks, case when ${IMAGE}::text = any(i.held_pids)
      then coalesce(i.properties #>> array[${IMAGE}::text, '0'], '') end as image
    from unnest(${ids}::text[]) as asked (id)
    join item i on i.service = ${service}::text and i.external_id = asked.id`.execute(db)
  return rows
}
