import { sql } from 'kysely'
import type { Db } from './connect.ts'
import type { TypeKey } from './extract-pages.repo.ts'
import { readCursor } from './read-cursor.ts'

export interface ExportedItem {
  readonly id: string
  /** JSON on one line, as the source sent it, with its details. */
  readonly body: string
}

/** Reads the items that a run has kept of a type, in the order of the list. */
export async function readExportedItems(
  db: Db,
  { runId, type }: TypeKey,
  onPage: (page: readonly ExportedItem[]) => Promise<void>,
): Promise<void> {
  await readCursor(
    db,
    sql<ExportedItem>`
      select i.item_id as id, b.body::text as body
      from extract_item i
      join extract_body b on b.hash = i.content_hash
      where i.run_id = ${runId}::bigint and i.type = ${type}::text
      order by i.position, i.ordinal`,
    onPage,
  )
}

/** Every field that an item of the type has, those of the first items first. */
export async function fieldsOfItems(db: Db, { runId, type }: TypeKey): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select field.name
    from extract_item i
    join extract_body b on b.hash = i.content_hash
    cross join lateral json_object_keys(b.body) with ordinality as field (name, place)
    where i.run_id = ${runId}::bigint and i.type = ${type}::text
    group by field.name
    order by min(i.position), min(field.place), field.name`.execute(db)
  return rows.map(({ name }) => name)
}
