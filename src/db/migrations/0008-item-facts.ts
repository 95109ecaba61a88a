/** What Wikidata says of an item is kept apart from what a decision last showed of it, and fetched once for all tasks. */
import { type Kysely, sql } from 'kysely'

const statements: readonly string[] = [
  `alter table item
     add column labels jsonb,
     add column aliases jsonb,
     add column descriptions jsonb,
     add column held_languages text[],
     add column held_pids text[],
     add column facts_at timestamptz,
     add column attempts integer not null default 0,
     add column next_attempt_at timestamptz,
     add column error_code text,
     add column error_message text,
     add column has_failed boolean not null default false,
     add column claimed_run_id bigint references run on delete set null,
     add column claimed_task integer,
     add column claimed_at timestamptz`,
  `create index item_failed on item (service) where has_failed`,
  // For deletions of a run.
  `create index item_claim on item (claimed_run_id) where claimed_run_id is not null`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
