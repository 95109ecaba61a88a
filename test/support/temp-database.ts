import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { expect, inject } from 'vitest'
import { templateDatabase } from './template-database.ts'

export interface TempDatabase {
  readonly url: string
  /** Removes it, ending connections that are still open. @throws where its tally of records was not kept up */
  readonly drop: () => Promise<void>
}

/** A migrated, empty database of its own for a test file. */
export function createTempDatabase(): Promise<TempDatabase> {
  return createDatabase(`template ${templateDatabase}`)
}

/** One without any tables. */
export function createBlankDatabase(): Promise<TempDatabase> {
  return createDatabase('')
}

async function createDatabase(how: string): Promise<TempDatabase> {
  const server = inject('postgresUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await run(server, `create database ${name} ${how}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    url: url.href,
    async drop() {
      try {
        expect(await untallied(url.href)).toEqual([])
      } finally {
        await run(server, `drop database if exists ${name} with (force)`)
      }
    },
  }
}

/** States whose records are not as many as the tally of the database says. */
async function untallied(url: string): Promise<readonly unknown[]> {
  return inDatabase(url, async (client) => {
    // Whoever holds a lock still is ended by the drop.
    await client.query(`set statement_timeout = '20s'`)
    const tables = await client.query(`select to_regclass('record_tally') is not null as kept`)
    if (!(tables.rows as { kept: boolean }[])[0]?.kept) return []
    const { rows } = await client.query<object>(`
      select project_id, run_id, status, outcome, sum(records) as too_many from (
        select project_id, run_id, status, outcome, records from record_tally
        union all
        select project_id, run_id, status, outcome, -1 from subject
      ) as counted group by 1, 2, 3, 4 having sum(records) <> 0`)
    return rows
  })
}

async function run(url: string, statement: string): Promise<void> {
  await inDatabase(url, (client) => client.query(statement))
}

async function inDatabase<T>(url: string, act: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await act(client)
  } finally {
    await client.end()
  }
}
