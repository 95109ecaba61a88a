import { Client } from 'pg'
import { afterAll, expect, it } from 'vitest'
import { createTempDatabase } from '../../support/temp-database.ts'

const database = await createTempDatabase()
afterAll(database.drop)

it('gives each test file a migrated, empty database that sorts and folds the same everywhere', async () => {
  const client = new Client({ connectionString: database.url })
  await client.connect()
  try {
    const { rows } = await client.query(
      `select (select count(*)::int from run) as runs, upper('é') as upper,
              current_setting('synchronous_commit') as sync, current_setting('TimeZone') as zone`,
    )
    expect(rows).toEqual([{ runs: 0, upper: 'É', sync: 'on', zone: 'UTC' }])
  } finally {
    await client.end()
  }
})
