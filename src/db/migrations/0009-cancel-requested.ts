/** A run that is being cancelled says so, for workers that come before Temporal has told its tasks. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table run add column cancel_requested_at timestamptz').execute(db)
}
