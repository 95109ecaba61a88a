import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connect.ts'

const ROWS_PER_FETCH = 1000

/**
 * Reads a query page by page as it was at one moment; what it returns is never in memory as a whole. Within a
 * transaction, as that sees it.
 * @param onPage reads what else it needs by `tx`: whoever waits for a second connection waits for ever where all do
 * @param rowsPerPage default 1000
 */
export async function readCursor<Row>(
  db: Db,
  query: RawBuilder<Row>,
  onPage: (page: readonly Row[], tx: Db) => Promise<void>,
  rowsPerPage: number = ROWS_PER_FETCH,
): Promise<void> {
  const read = async (tx: Db): Promise<void> => {
    await declareWholeCursor(tx, sql`reading no scroll cursor for ${query}`)
    await fetchPages(tx, sql<Row>`fetch ${sql.lit(rowsPerPage)} from reading`, (page) =>
      onPage(page, tx),
    )
    await sql`close reading`.execute(tx)
  }
  await (db.isTransaction ? read(db) : db.transaction().execute(read))
}

/** @param declaration what stands after `declare`; by default a cursor is planned as if only a tenth of it were read */
export async function declareWholeCursor(tx: Db, declaration: RawBuilder<unknown>): Promise<void> {
  await sql`set local cursor_tuple_fraction = 1`.execute(tx)
  await sql`declare ${declaration}`.execute(tx)
}

/** Reads an open cursor to its end. @param fetch brings its next page */
export async function fetchPages<Row>(
  db: Db,
  fetch: RawBuilder<Row>,
  onPage: (page: readonly Row[]) => Promise<void>,
): Promise<void> {
  for (;;) {
    const { rows } = await fetch.execute(db)
    if (rows.length === 0) return
    await onPage(rows)
  }
}
