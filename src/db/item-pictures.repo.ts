import { sql } from 'kysely'
import { IMAGE } from '../core/wikidata/item-needs.ts'
import type { Db } from './connect.ts'

/**
 * Names of the files of pictures that an item states.
 * @returns undefined: it was not asked yet, or in vain
 */
export async function heldPictures(
  db: Db,
  service: string,
  item: string,
): Promise<readonly string[] | undefined> {
  const { rows } = await sql<{ held: readonly unknown[] }>`
    select held from item_value
    where service = ${service}::text and external_id = ${item}::text and property = ${IMAGE}::text and held is not null
    union all
    select coalesce(properties -> ${IMAGE}::text, '[]'::jsonb) from item
    where service = ${service}::text and external_id = ${item}::text and ${IMAGE}::text = any(held_pids)
    limit 1`.execute(db)
  return rows[0]?.held.filter((value): value is string => typeof value === 'string')
}
