import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import { Pool, type PoolClient, types } from 'pg'
import type { Database } from './database.ts'
import { patientPool, type PatientPool, type PoolUse } from './patient-pool.ts'
import { preparingClient } from './prepared.ts'

export type Db = Kysely<Database>

// Our ids stay far below 2^53, so int8 can be a number; the default is text.
types.setTypeParser(types.builtins.INT8, Number)

const pools = new WeakMap<Db, PatientPool>()

export interface ConnectOptions {
  /** Default 10. */
  readonly maxConnections?: number
  /** How long the server has to let us in before it counts as away, ms; default 10,000. */
  readonly connectTimeoutMs?: number
}

/** A pool of connections; callers beyond its size wait for one. `destroy()` closes it. */
export function connectDatabase(databaseUrl: string, options: ConnectOptions = {}): Db {
  const { maxConnections = 10, connectTimeoutMs = 10_000 } = options
  const connections = new Pool({
    connectionString: databaseUrl,
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'record-linker',
    // A way to the server that breaks without a word is noticed, though not before minutes.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  })
  // A connection that the server closes, idle or in use, must not end the process; its next query reports it.
  connections.on('error', () => undefined)
  connections.on('connect', (client) => client.on('error', () => undefined))
  const pool = patientPool(connections, maxConnections)
  const preparing = {
    connect: async () => preparingClient(await pool.connect()),
    end: () => pool.end(),
  }
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: preparing }) })
  pools.set(db, pool)
  return db
}

/** How many connections of a database of `connectDatabase` are in use. */
export function poolUse(db: Db): PoolUse {
  return poolOf(db).use()
}

function poolOf(db: Db): PatientPool {
  const pool = pools.get(db)
  if (pool === undefined) throw new TypeError('expected a database of connectDatabase')
  return pool
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
  const client = await poolOf(db).connect()
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
