import { sql } from 'kysely'
import type { Db } from './connect.ts'
import type { TypeKey } from './extract-pages.repo.ts'

/** Takes away all that a run has read of a type that is open, so that it is read from its first page on. */
export async function forgetList(
  db: Db,
  { runId, type }: TypeKey,
  pageSize: number,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { numAffectedRows = 0n } = await sql`
      update extract_checkpoint
      set pages_done = 0, rows_done = 0, rows_without_id = 0, first_total = null, last_total = null,
        problem = null, page_size = ${pageSize}::integer
      where run_id = ${runId}::bigint and type = ${type}::text and state = 'open'`.execute(tx)
    if (numAffectedRows === 0n) return
    for (const table of ['extract_item', 'extract_page', 'extract_error']) {
      await sql`
        delete from ${sql.table(table)}
        where run_id = ${runId}::bigint and type = ${type}::text`.execute(tx)
    }
  })
}
