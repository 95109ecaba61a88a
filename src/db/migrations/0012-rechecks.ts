/** Items of gold files are looked after like matched ones; a check that failed leaves what an earlier one found. */
import { type Kysely, sql } from 'kysely'

const statements: readonly string[] = [
  `create table gold_item (
     project_id bigint not null references project on delete cascade,
     external_id text not null,
     primary key (project_id, external_id)
   )`,
  `alter table item add column check_failed_at timestamptz`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
