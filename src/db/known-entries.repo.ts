import { sql } from 'kysely'
import type { Db } from './connect.ts'

/** How many of these ids a dataset has, absent records too. */
export async function countKnownEntries(
  db: Db,
  datasetId: number,
  externalIds: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from entry
    where dataset_id = ${datasetId}::bigint and external_id = any(${externalIds}::text[])`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
