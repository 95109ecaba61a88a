import { afterAll, beforeAll } from 'vitest'
import type { Db } from '../../src/db/connect.ts'
import { createTempDatabase, type TempDatabase } from './temp-database.ts'

/** Gives a file of tests a database of its own while they run. To be called outside of any test. */
export function onTempDatabase(connect: (url: string) => Db): void {
  let database: TempDatabase
  let db: Db
  beforeAll(async () => {
    database = await createTempDatabase()
    db = connect(database.url)
  })
  afterAll(async () => {
    await db.destroy()
    await database.drop()
  })
}
