import type { Db } from './connect.ts'

/** Looks at the database as it is at one moment; Postgres itself refuses whatever would write. */
export function readOnly<T>(db: Db, look: (tx: Db) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(look)
}
