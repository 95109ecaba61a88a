/** When a run was paused or let go last, by the clock of its workflow. */
import { type Kysely, sql } from 'kysely'

const statements: readonly string[] = [
  `alter table run add column pause_moved_at timestamptz`,
  `alter table extract_run add column pause_moved_at timestamptz`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
