/** Whether a page repeats another is looked up for each page of a list, however long that is. */
import { type Kysely, sql } from 'kysely'

const statements: readonly string[] = [
  `create index extract_page_ids on extract_page (run_id, type, ids_hash)`,
  `create index extract_page_next on extract_page (run_id, type, next_hash) where next_hash is not null`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
