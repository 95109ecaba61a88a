import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import { Pool, type PoolClient, types } from 'pg'
import type { Database } from './database.ts'

export type Db = Kysely<Database>

// Our ids stay far below 2^53, so int8 can be a number; the default is text.
types.setTypeParser(types.builtins.INT8, Number)

const pools = new WeakMap<Db, Pool>()

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
  // A connection that the server closes, idle or in use, must not end the process; its next query reports it.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  pools.set(db, pool)
  return db
}

/**
 * One transaction on one connection, as a query builder and as the driver's client: COPY needs the latter. Rolled back
 * when `use` throws.
 * @param end 'rollback': `use` was only to find out what it would do
 */
export async function withCopyTransaction<T>(
  db: Db,
  use: (tx: Db, client: PoolClient) => Promise<T>,
  end: 'commit' | 'rollback' = 'commit',
): Promise<T> {
  const connections = pools.get(db)
  if (connections === undefined) throw new TypeError('expected a database of connectDatabase')
  const client = await connections.connect()
  const query: PostgresPoolClient['query'] = client.query.bind(client)
  const pool = {
    connect: async () => ({ query, release: () => undefined }),
    end: async () => undefined,
  }
  const tx = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  try {
    await client.query('begin')
    const result = await use(tx, client)
    await client.query(end)
    client.release()
    return result
  } catch (error) {
    // A connection that cannot even roll back is thrown away; the server rolls back by itself.
    await client.query('rollback').then(
      () => client.release(),
      (broken: Error) => client.release(broken),
    )
    throw error
  }
}
