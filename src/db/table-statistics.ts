import { sql } from 'kysely'
import type { Db } from './connect.ts'
import type { Database } from './database.ts'

/** Fewer change no plan that matters, and looking at a large table costs up to a second. */
const BULK_ROWS = 10_000

/**
 * Tells the planner of PostgreSQL what tables hold after many rows were written. It finds out by itself, but a minute
 * later, and until then plans as if they were empty: that makes the next step of a large run quadratic.
 */
export async function tellPlanner(
  db: Db,
  rowsWritten: number,
  tables: readonly (keyof Database)[],
): Promise<void> {
  if (rowsWritten < BULK_ROWS) return
  for (const table of tables) await sql`analyze ${sql.table(table)}`.execute(db)
}
