import { type Kysely, sql } from 'kysely'

const statements: readonly string[] = [
  // What items state, one row per question asked: an empty list is "states nothing", null is "could not be asked". One
  // that was to be renewed in vain has both, what is known and the error.
  `create table item_value (
     service text not null,
     external_id text not null,
     property text not null,
     held jsonb,
     fetched_at timestamptz not null default now(),
     failed_in text,
     attempts integer not null default 0,
     error_code text,
     error_message text,
     primary key (service, external_id, property),
     check (held is not null or error_code is not null)
   )`,
  // What services say about themselves, as last read.
  `create table service (
     name text primary key,
     view_url text,
     identifier_space text not null,
     schema_space text not null,
     seen_at timestamptz not null default now()
   )`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
