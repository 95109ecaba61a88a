import { sql } from 'kysely'
import type { Cells } from '../core/matching/mapped-record.ts'
import type { Db } from './connect.ts'

/** Records of a dataset drawn at random, other ones each time. */
export async function randomRecords(
  db: Db,
  datasetId: number,
  count: number,
): Promise<readonly Cells[]> {
  const rows = await db
    .selectFrom('entry')
    .where('dataset_id', '=', datasetId)
    .where('absent_since', 'is', null)
    .select('source')
    .orderBy(sql`random()`)
    .limit(count)
    .execute()
  return rows.map(({ source }) => source)
}
