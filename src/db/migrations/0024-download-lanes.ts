import { type Kysely, sql } from 'kysely'

/** When the next job of a queue is due is looked up every second, however many wait. */
const statements = [
  `create index jobs_due on jobs (queue, next_attempt_at) where state = 'queued' and next_attempt_at is not null`,
  `create index jobs_claim on jobs (claim) where claim is not null`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
