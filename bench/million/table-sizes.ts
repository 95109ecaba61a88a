/** What a run leaves on the disk. */
import { statSync } from 'node:fs'
import { sql } from 'kysely'
import type { Db } from '../../src/db/connect.ts'

export interface TableSize {
  readonly name: string
  readonly rows: number
  /** With its indexes and what is stored apart. */
  readonly bytes: number
  readonly indexBytes: number
}

/** Largest first; those that are nearly empty are left out. */
export async function tableSizes(db: Db): Promise<readonly TableSize[]> {
  await sql`analyze`.execute(db)
  const { rows } = await sql<TableSize>`
    select relname as name, greatest(reltuples, 0)::bigint as rows,
      pg_total_relation_size(oid) as bytes, pg_indexes_size(oid) as "indexBytes"
    from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace
      and pg_total_relation_size(oid) > 1024 * 1024
    order by bytes desc`.execute(db)
  return rows
}

export async function databaseBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select pg_database_size(current_database()) as bytes`.execute(db)
  return rows[0]?.bytes ?? NaN
}

/** Of a SQLite file with what it has not yet taken in from its log. */
export function sqliteBytes(path: string): number {
  return [path, `${path}-wal`].reduce(
    (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
}
