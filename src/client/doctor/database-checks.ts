import { Client } from 'pg'
import { z } from 'zod'
import { maskPassword } from '../../config.ts'
import { schemaState } from '../../db/migrate.ts'
import { failed, passed, type Check } from './check.ts'

const OLDEST_POSTGRES = 14

/** Version and schema of the database. */
export async function checkDatabase(url: string): Promise<readonly Check[]> {
  const expected = `${OLDEST_POSTGRES} or newer, at ${maskPassword(url)}`
  try {
    const version = await serverVersion(url)
    if (Number.parseInt(version, 10) < OLDEST_POSTGRES) {
      const fix = 'Point DATABASE_URL to a newer server, or unset it to use the embedded one.'
      return [failed('PostgreSQL', expected, version, fix)]
    }
    return [passed('PostgreSQL', expected, version), await checkSchema(url)]
  } catch (error) {
    const fix = 'Check DATABASE_URL, or unset it to use the embedded database.'
    return [failed('PostgreSQL', expected, String(error), fix)]
  }
}

async function checkSchema(url: string): Promise<Check> {
  const expected = 'no migration left to apply'
  const { applied, pending } = await schemaState(url)
  const actual = `${applied.length} applied, ${pending.length} left`
  return pending.length === 0
    ? passed('Schema', expected, actual)
    : failed('Schema', expected, actual, './record-linker migrate')
}

async function serverVersion(url: string): Promise<string> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => undefined) // the query reports it
  try {
    await client.connect()
    const { rows } = await client.query('show server_version')
    return z.object({ server_version: z.string() }).parse(rows[0]).server_version
  } finally {
    await client.end().catch(() => undefined) // it never connected
  }
}
