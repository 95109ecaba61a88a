/**
 * Reading page by page what is then written page by page, on one connection. Whoever holds a connection and waits for a
 * second one waits for ever where all that hold one do: so nobody that many do at once may need two.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connect.ts'
import { declareWholeCursor, fetchPages } from './read-cursor.ts'

/**
 * Work on one connection, under a lock of its session: so it can have transactions of its own between others.
 * @param lock takes an advisory lock of the session
 * @param work everything it asks goes to the connection it is given
 */
export async function withSessionLock<T>(
  db: Db,
  lock: RawBuilder<unknown>,
  work: (own: Db) => Promise<T>,
): Promise<T> {
  return db.connection().execute(async (own) => {
    try {
      await lock.execute(own)
      return await work(own)
    } finally {
      // A connection that cannot do this is gone, and its locks with it.
      await sql`select pg_advisory_unlock_all()`.execute(own).catch(() => undefined)
    }
  })
}

/**
 * Reads a query as it was at one moment; between two pages the connection is free for other statements and transactions.
 * The server keeps the result meanwhile, on its disk where that is large, and nothing else: no transaction stays open.
 * @param own one connection, in no transaction
 * @param onPage what it asks goes to the same connection
 */
export async function readHeld<Row>(
  own: Db,
  query: RawBuilder<Row>,
  onPage: (page: readonly Row[]) => Promise<void>,
  rowsPerPage: number,
): Promise<void> {
  await own
    .transaction()
    .execute((tx) => declareWholeCursor(tx, sql`held no scroll cursor with hold for ${query}`))
  try {
    await fetchPages(own, sql<Row>`fetch ${sql.lit(rowsPerPage)} from held`, onPage)
  } finally {
    await sql`close held`.execute(own).catch(() => undefined)
  }
}
