/** How many pages link to an item, for people who review; and what finds records by a rare type of their best candidate. */
import { type Kysely, sql } from 'kysely'

const statements: readonly string[] = [
  `alter table item add column sitelinks integer`,
  `create index item_types on item using gin (types jsonb_path_ops)`,
  `create index decision_item on decision (external_id, service) include (id) where external_id is not null`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
