import { sql } from 'kysely'
import type { Db } from './connect.ts'

/** Keeps a search until it is answered; what a process left behind is forgotten after an hour. */
export async function keepSearch(db: Db, projectId: number, text: string): Promise<number> {
  await sql`delete from item_search where asked_at < now() - interval '1 hour'`.execute(db)
  const { id } = await db
    .insertInto('item_search')
    .values({ project_id: projectId, text })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** @returns undefined when nobody waits for it any more */
export async function findSearch(
  db: Db,
  id: number,
): Promise<{ readonly projectId: number; readonly text: string } | undefined> {
  return db
    .selectFrom('item_search')
    .where('id', '=', id)
    .select(['project_id as projectId', 'text'])
    .executeTakeFirst()
}

export async function forgetSearch(db: Db, id: number): Promise<void> {
  await db.deleteFrom('item_search').where('id', '=', id).execute()
}
