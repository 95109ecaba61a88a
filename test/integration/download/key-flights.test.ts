import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { connectDatabase, type Db } from '../../../src/db/connect.ts'
import { type KeyFlights, openKeyFlights } from '../../../src/db/key-flights.ts'
import { cacheKey } from '../../../src/store/artifact-cache.ts'
import { createTempDatabase, type TempDatabase } from '../../support/temp-database.ts'

const key = (name: string) => cacheKey({ url: `https://example.org/${name}` })
const NOW = { patienceMs: 0 }
const LONG = { patienceMs: 60_000 }

let database: TempDatabase
let db: Db
/** As if of two processes. */
let one: KeyFlights
let other: KeyFlights
beforeAll(async () => {
  database = await createTempDatabase()
  db = connectDatabase(database.url)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})
beforeEach(() => {
  one = openKeyFlights(database.url)
  other = openKeyFlights(database.url)
})
afterEach(() => Promise.all([one.close(), other.close()]))

it('of all who want one address one goes, in this process and in others; other addresses go too', async () => {
  const end = await one.take(key('a'), NOW)
  expect(end).toBeTypeOf('function')
  expect(await one.take(key('a'), NOW)).toBeUndefined()
  expect(await other.take(key('a'), NOW)).toBeUndefined()
  const elsewhere = await other.take(key('b'), NOW)
  expect(elsewhere).toBeTypeOf('function')
  await end?.()
  await end?.()
  expect(await other.take(key('a'), NOW)).toBeTypeOf('function')
})

it('those who wait go one after the other', async () => {
  let [under, most, done] = [0, 0, 0]
  await Promise.all(
    Array.from({ length: 8 }, async (_, at) => {
      const end = await (at % 2 === 0 ? one : other).take(key('a'), LONG)
      under += 1
      most = Math.max(most, under)
      await sql`select 1`.execute(db)
      under -= 1
      done += 1
      await end?.()
    }),
  )
  expect({ most, done }).toEqual({ most: 1, done: 8 })
})

it('a process that dies leaves its address free, and lives on without its connection', async () => {
  await one.take(key('a'), NOW)
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'record-linker flights'`.execute(db)
  expect(await other.take(key('a'), LONG)).toBeTypeOf('function')
  expect(await one.take(key('b'), LONG)).toBeTypeOf('function')
})

it('who is told to stop waits no longer', async () => {
  await one.take(key('a'), NOW)
  const stop = new AbortController()
  const waiting = other.take(key('a'), { ...LONG, signal: stop.signal })
  stop.abort(new Error('stopped'))
  await expect(waiting).rejects.toThrow(/stopped|aborted/)
})
