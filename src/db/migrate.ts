import { Migrator } from 'kysely'
import { RecordLinkerError, UnavailableError } from '../errors.ts'
import { connectDatabase } from './connect.ts'
import { migrations } from './migrations/index.ts'

export interface SchemaState {
  readonly applied: readonly string[]
  readonly pending: readonly string[]
}

/**
 * Brings the schema to this program's version; several processes may do so at once (Kysely locks).
 * @returns the names of the migrations that were applied now, oldest first.
 * @throws RecordLinkerError `schema_newer` when the database was migrated by a newer program.
 */
export async function migrateToLatest(databaseUrl: string): Promise<{ applied: string[] }> {
  return withMigrator(databaseUrl, async (migrator) => {
    const { error, results } = await migrator.migrateToLatest()
    if (error !== undefined) throw asMigrationError(error)
    return { applied: (results ?? []).map((result) => result.migrationName) }
  })
}

/** Which migrations the database has and lacks; changes nothing but creates Kysely's own bookkeeping table. */
export async function schemaState(databaseUrl: string): Promise<SchemaState> {
  return withMigrator(databaseUrl, async (migrator) => {
    const all = await migrator.getMigrations()
    return {
      applied: all.filter((one) => one.executedAt !== undefined).map((one) => one.name),
      pending: all.filter((one) => one.executedAt === undefined).map((one) => one.name),
    }
  })
}

async function withMigrator<T>(
  databaseUrl: string,
  use: (migrator: Migrator) => Promise<T>,
): Promise<T> {
  const db = connectDatabase(databaseUrl, { maxConnections: 2 })
  try {
    const provider = { getMigrations: async () => ({ ...migrations }) }
    return await use(new Migrator({ db, provider }))
  } finally {
    await db.destroy()
  }
}

function asMigrationError(error: unknown): RecordLinkerError {
  const message = error instanceof Error ? error.message : String(error)
  if (message.includes('corrupted migrations')) {
    return new RecordLinkerError({
      code: 'schema_newer',
      message: `The database has migrations that this version does not know (${message}).`,
      hint: 'Use the version of Record Linker that wrote this database, or a newer one.',
      cause: error,
    })
  }
  return new UnavailableError({
    code: 'migration_failed',
    message: `The database could not be brought to this version: ${message}`,
    hint: 'Check DATABASE_URL and that its user may create tables, then run: ./record-linker migrate',
    cause: error,
  })
}
