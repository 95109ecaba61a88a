import { type Kysely, sql } from 'kysely'

/**
 * Whoever counts anew waits for the end of a load or of a deletion, and all who decide records would wait behind it: it gives up
 * after a while instead.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter function recount_tally() set lock_timeout = '5s'`).execute(db)
}
