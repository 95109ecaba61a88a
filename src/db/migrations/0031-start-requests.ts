/** Starts that were asked for over HTTP with a key: the same key is the same run, also after it has ended. */
import { type Kysely, sql } from 'kysely'

const statements: readonly string[] = [
  `create table start_request (
     project_id bigint not null references project on delete cascade,
     key text not null,
     request_hash bytea not null,
     temporal_run_id text not null,
     asked_at timestamptz not null default now(),
     primary key (project_id, key)
   )`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
