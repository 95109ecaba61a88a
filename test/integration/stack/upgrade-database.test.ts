import { type Migration, Migrator, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectDatabase, type Db } from '../../../src/db/connect.ts'
import { migrateToLatest } from '../../../src/db/migrate.ts'
import { migrations } from '../../../src/db/migrations/index.ts'
import { createTempDatabase, type TempDatabase } from '../../support/temp-database.ts'

/** Of the version before items of Wikidata were kept. */
const BEFORE = '0007-decisions-remembered'

let database: TempDatabase
let db: Db
beforeAll(async () => {
  database = await createTempDatabase()
  db = connectDatabase(database.url)
  await sql`drop schema public cascade`.execute(db)
  await sql`create schema public`.execute(db)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

it('a database of an earlier version keeps what it has, and is brought to this one', async () => {
  const earlier: Record<string, Migration> = Object.fromEntries(
    Object.entries(migrations).filter(([name]) => name <= BEFORE),
  )
  const migrator = new Migrator({ db, provider: { getMigrations: async () => earlier } })
  expect((await migrator.migrateToLatest()).error).toBeUndefined()
  await sql`
    insert into item (service, external_id, label, types, state, merged_into, checked_at) values
      ('sample', 'Q1', 'One', '[]', 'merged', 'Q2', now()), ('sample', 'Q2', 'Two', '[]', null, null, null)`.execute(
    db,
  )
  const { applied } = await migrateToLatest(database.url)
  expect(applied).toEqual(Object.keys(migrations).filter((name) => name > BEFORE))
  const items = await db
    .selectFrom('item')
    .select(['external_id', 'label', 'merged_into', 'facts_at', 'has_failed'])
    .orderBy('external_id')
    .execute()
  expect(items).toEqual([
    { external_id: 'Q1', label: 'One', merged_into: 'Q2', facts_at: null, has_failed: false },
    { external_id: 'Q2', label: 'Two', merged_into: null, facts_at: null, has_failed: false },
  ])
})
