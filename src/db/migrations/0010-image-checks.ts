import { type Kysely, sql } from 'kysely'

const statements: readonly string[] = [
  // What became of the files whose names items state, as last asked.
  `create table image_check (
     service text not null,
     value text not null,
     state text not null
       check (state in ('present', 'missing', 'not_an_image', 'no_file_name', 'failed')),
     code text,
     checked_at timestamptz not null,
     primary key (service, value),
     check ((state = 'present') = (code is null))
   )`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
