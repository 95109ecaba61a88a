/** One embedded PostgreSQL: makes its cluster when there is none, starts it, waits until it answers. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { RecordLinkerError, UnavailableError } from '../../errors.ts'
import { startInBackground } from './background-process.ts'
import { openLogFile, type LogFile } from './log-file.ts'
import { clearStalePidFile } from './postgres-pid-file.ts'
import type { PostgresPlace } from './postgres-place.ts'
import { isRunning, type ProcessMark } from './process-identity.mjs'

const USER = 'record_linker'
const DATABASE = 'record_linker'
const MAJOR_VERSION = '18'

/** The processes of a killed server end by themselves; until then PostgreSQL refuses to start another. */
const PREDECESSOR_LIMIT_MS = 20_000

/** Meant for one person's machine; what protects data (fsync, synchronous_commit) keeps its default: on. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '128MB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  // As on flash: at the default of 4 tables of some hundred thousand rows are read whole for each page of a task.
  random_page_cost: '1.1',
  // What a run fills is planned by guesses until the server has counted it; a look for tables to be counted costs next to nothing.
  autovacuum_naptime: '15s',
  max_wal_size: '1GB',
  max_wal_senders: '0',
  wal_level: 'minimal',
  // Containers often have 64 MB of shared memory, too little for parallel queries.
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  // Errors of statements quote values, so cells of records; whoever sent the statement reports them.
  log_min_messages: 'log',
}

export interface PostgresServerOptions {
  readonly place: PostgresPlace
  readonly port: number
  readonly password: string
  readonly logFile: string
  /** Beside ours, for benchmarks that look into it. */
  readonly settings?: Readonly<Record<string, string>>
  /** Called as soon as the process exists, before it answers. */
  readonly onStart?: (mark: ProcessMark) => void
  readonly signal?: AbortSignal
}

/** The address of our database on that port. */
export function postgresUrl(port: number, password: string, database = DATABASE): string {
  return `postgresql://${USER}:${password}@127.0.0.1:${port}/${database}`
}

/**
 * Starts a server and makes our database in it.
 * @throws UnavailableError with the last lines of its log.
 */
export async function startPostgres(options: PostgresServerOptions): Promise<ProcessMark> {
  const deadline = performance.now() + PREDECESSOR_LIMIT_MS
  for (;;) {
    try {
      return await startOnce(options)
    } catch (error) {
      const predecessorEnds =
        error instanceof UnavailableError && error.message.includes('shared memory block')
      if (!predecessorEnds || performance.now() > deadline) throw error
      await sleep(200)
    }
  }
}

async function startOnce(options: PostgresServerOptions): Promise<ProcessMark> {
  const { place } = options
  const log = openLogFile(options.logFile)
  try {
    await ensureCluster(place, options.password)
    await clearStalePidFile(place.data)
    const all = { ...settings, ...options.settings, port: String(options.port) }
    const mark = await startInBackground({
      command: join(place.binaries, 'bin/postgres'),
      args: ['-D', place.data, ...Object.entries(all).flatMap((pair) => ['-c', pair.join('=')])],
      cwd: place.folder,
      env: programEnv(),
      account: place.account,
      log,
    })
    options.onStart?.(mark)
    await waitUntilReady(options, mark, log)
    return mark
  } finally {
    log.close()
  }
}

/** Whether our server answers there and lets us in. */
export async function postgresAnswers(port: number, password: string): Promise<boolean> {
  try {
    await withClient(postgresUrl(port, password), async () => undefined)
    return true
  } catch {
    return false // whatever the reason: it is not a server we can go on with
  }
}

async function ensureCluster(place: PostgresPlace, password: string): Promise<void> {
  const versionFile = join(place.data, 'PG_VERSION')
  if (!existsSync(versionFile)) return createCluster(place, password)
  const version = readFileSync(versionFile, 'utf8').trim()
  if (version === MAJOR_VERSION) return
  throw new RecordLinkerError({
    code: 'postgres_version_differs',
    message: `The data in ${place.data} was written by PostgreSQL ${version}; this program brings version ${MAJOR_VERSION}.`,
    hint: 'Export your results with the version of Record Linker that wrote them, or use another RECORD_LINKER_HOME.',
  })
}

/** Made in a folder beside and renamed: a cluster is there whole or not at all. */
async function createCluster(place: PostgresPlace, password: string): Promise<void> {
  const draft = `${place.data}.new`
  rmSync(draft, { recursive: true, force: true })
  const passwordFile = join(place.folder, `password-${randomUUID()}`)
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (place.account) chownSync(passwordFile, place.account.uid, place.account.gid)
  try {
    await promisify(execFile)(
      join(place.binaries, 'bin/initdb'),
      [
        `--pgdata=${draft}`,
        `--username=${USER}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        // Sorts by code point and knows the case of all letters, the same on every system.
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
      ],
      { cwd: place.folder, env: programEnv(), ...place.account },
    )
  } catch (cause) {
    throw new UnavailableError({
      code: 'postgres_not_initialised',
      message: `PostgreSQL could not make its data folder ${place.data}: ${messageOf(cause)}`,
      hint: 'Check free disk space and permissions, or set DATABASE_URL to a PostgreSQL of your own.',
      cause,
    })
  } finally {
    rmSync(passwordFile, { force: true })
  }
  renameSync(draft, place.data)
}

/** Recovery after a crash may take minutes: waits as long as the process lives. */
async function waitUntilReady(
  options: PostgresServerOptions,
  mark: ProcessMark,
  log: LogFile,
): Promise<void> {
  for (;;) {
    options.signal?.throwIfAborted()
    try {
      await ensureDatabase(options.port, options.password)
      return
    } catch (cause) {
      const refused = cause instanceof Error && 'code' in cause && cause.code === '28P01'
      if (refused || !isRunning(mark)) {
        throw new UnavailableError({
          code: refused ? 'postgres_password_differs' : 'postgres_not_started',
          message: refused
            ? `PostgreSQL on port ${options.port} does not accept the password of this home.`
            : `PostgreSQL ended while it started:\n${log.tail()}`,
          hint: `Its log: ${log.path}`,
          cause,
        })
      }
      await sleep(50)
    }
  }
}

async function ensureDatabase(port: number, password: string): Promise<void> {
  await withClient(postgresUrl(port, password, 'postgres'), async (client) => {
    const found = await client.query('select 1 from pg_database where datname = $1', [DATABASE])
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`)
  })
}

async function withClient(url: string, use: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => undefined) // the pending query reports it
  try {
    await client.connect()
    await use(client)
  } finally {
    await client.end().catch(() => undefined) // it never connected
  }
}

/** Nothing of ours: PG… variables of the user would change what the programs do. */
function programEnv(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
