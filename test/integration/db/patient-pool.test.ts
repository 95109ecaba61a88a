/** More callers than connections: they wait, however long the others take. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectDatabase, type Db, withCopyTransaction } from '../../../src/db/connect.ts'
import { createTempDatabase, type TempDatabase } from '../../support/temp-database.ts'

/** What would be too long for a server that does not let us in. */
const CONNECT_TIMEOUT_MS = 1_000
const BUSY_S = 1.5

let database: TempDatabase
let db: Db
beforeAll(async () => {
  database = await createTempDatabase()
  db = connectDatabase(database.url, { maxConnections: 2, connectTimeoutMs: CONNECT_TIMEOUT_MS })
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const work = async (n: number) => {
  const { rows } = await sql<{ n: number }>`
    select ${n}::integer as n, pg_sleep(${BUSY_S}::float8)`.execute(db)
  return rows[0]?.n
}

it('a pool that is busy for longer than a connection may take turns nobody away', async () => {
  expect(await Promise.all([1, 2, 3, 4].map(work))).toEqual([1, 2, 3, 4])
})

it('a place is free again whatever became of the work', async () => {
  const failing = () => sql`select 1 / 0`.execute(db)
  for (let round = 0; round < 3; round += 1) await expect(failing()).rejects.toThrow('division')
  const broken = () => withCopyTransaction(db, () => Promise.reject(new Error('no')))
  for (let round = 0; round < 3; round += 1) await expect(broken()).rejects.toThrow('no')
  expect(await Promise.all([5, 6].map(work))).toEqual([5, 6])
})

it('a server that is away is still told from a busy one', async () => {
  const away = new URL(database.url)
  away.port = '9'
  const nobody = connectDatabase(away.href, { maxConnections: 1 })
  const asked = () => sql`select 1`.execute(nobody)
  for (let round = 0; round < 3; round += 1) await expect(asked()).rejects.toThrow('ECONNREFUSED')
  await nobody.destroy()
})
