import { sql } from 'kysely'
import type { Db } from './connect.ts'

/** Some hundred answers; where less is left, it is soon used up. */
const KB = 1_024

/** Writes so much to the disk of the database, and takes it back. @throws disk_full (53100) */
export async function tryRoom(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`
      create temporary table room on commit drop as
      select repeat(md5(n::text), 32) as kb from generate_series(1, ${KB}::integer) as n`.execute(
      tx,
    )
  })
}
