import { Kysely, PostgresDialect } from 'kysely'
import { Pool, types } from 'pg'
import type { Database } from './database.ts'

export type Db = Kysely<Database>

// Our ids stay far below 2^53, so int8 can be a number; the default is text.
const INT8_OID = 20
types.setTypeParser(INT8_OID, Number)

/**
 * A pool of connections. `destroy()` closes it.
 * @param maxConnections default 10
 */
export function connectDatabase(
  databaseUrl: string,
  options: { maxConnections?: number } = {},
): Db {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: 10_000,
    application_name: 'record-linker',
  })
  // An idle connection that the server closes must not end the process; the next query reports it.
  pool.on('error', () => undefined)
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
}
