import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { inject } from 'vitest'
import { templateDatabase } from './template-database.ts'

export interface TempDatabase {
  readonly url: string
  /** Removes it, ending connections that are still open. */
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
    drop: () => run(server, `drop database if exists ${name} with (force)`),
  }
}

async function run(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
