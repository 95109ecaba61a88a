/** What people search for by name while they review: no text of theirs is in a payload of a workflow. */
import { type Kysely, sql } from 'kysely'

const statements: readonly string[] = [
  `create table item_search (
     id bigint generated always as identity primary key,
     project_id bigint not null references project on delete cascade,
     text text not null,
     asked_at timestamptz not null default now()
   )`,
  `create index item_search_asked_at on item_search (asked_at)`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
