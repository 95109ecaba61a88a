/** Marked statements are planned once for each connection, and answer as any other. */
import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { connectDatabase, type Db, withCopyTransaction } from '../../../src/db/connect.ts'
import { prepared } from '../../../src/db/prepared.ts'
import { onTempDatabase } from '../../support/on-temp-database.ts'

let db: Db
onTempDatabase((url) => (db = connectDatabase(url, { maxConnections: 1 })))

const marked = async (of: Db, n: number) => {
  const { rows } = await sql<{ n: number }>`${prepared}
    select ${n}::integer + 1 as n`.execute(of)
  return rows[0]?.n
}
const kept = async () => {
  const { rows } = await sql<{ statement: string }>`
    select statement from pg_prepared_statements where statement like '/* prepared */%'`.execute(db)
  return rows.map(({ statement }) => statement)
}

it('a marked statement is prepared once, whatever its values; another one is not', async () => {
  for (const n of [1, 2, 3]) expect(await marked(db, n)).toBe(n + 1)
  await sql`select 1`.execute(db)
  const statements = await kept()
  expect(statements).toHaveLength(1)
  expect(statements[0]).toContain('$1::integer + 1')
})

it('a transaction has the same one, and leaves the connection to others after it', async () => {
  expect(await db.transaction().execute((tx) => marked(tx, 4))).toBe(5)
  expect(await marked(db, 5)).toBe(6)
  expect(await kept()).toHaveLength(1)
  expect(await withCopyTransaction(db, (tx) => marked(tx, 6))).toBe(7)
})

it('one that fails can be asked again', async () => {
  const ratio = async (by: number) => {
    const { rows } = await sql<{ n: number }>`${prepared}
      select 6 / ${by}::integer as n`.execute(db)
    return rows[0]?.n
  }
  await expect(ratio(0)).rejects.toThrow('division')
  expect(await ratio(2)).toBe(3)
})

it('a connection that is lost takes its statements with it, and the next one has its own', async () => {
  await marked(db, 1)
  await sql`select pg_terminate_backend(pg_backend_pid())`.execute(db).catch(() => undefined)
  // The driver may hear of the end only by the next question.
  await vi.waitFor(async () => expect(await marked(db, 7)).toBe(8), { timeout: 10_000 })
  expect(await kept()).toHaveLength(1)
})
