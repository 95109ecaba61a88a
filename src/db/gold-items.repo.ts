import { sql } from 'kysely'
import type { Db } from './connect.ts'

/** Takes the place of what an earlier gold file named. */
export async function replaceGoldItems(
  db: Db,
  projectId: number,
  ids: ReadonlySet<string>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('gold_item').where('project_id', '=', projectId).execute()
    await sql`
      insert into gold_item (project_id, external_id)
      select ${projectId}::bigint, id from unnest(${[...ids]}::text[]) as id`.execute(tx)
  })
}
