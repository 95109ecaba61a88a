/** Real servers for a test run, in a folder that goes with it. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client } from 'pg'
import { ensureCompiled } from '../../scripts/set-up/compiled.mjs'
import { packageRoot } from '../../src/config.ts'
import { migrateToLatest } from '../../src/db/migrate.ts'
import { anyFreePort } from '../../src/client/stack/free-port.ts'
import { makeHomeFolder, openHome } from '../../src/client/stack/home.ts'
import { preparePostgresPlace } from '../../src/client/stack/postgres-place.ts'
import { programCache } from '../../src/client/stack/program-cache.ts'
import { postgresUrl, startPostgres } from '../../src/client/stack/postgres-server.ts'
import { startTemporal } from '../../src/client/stack/temporal-server.ts'
import type * as WorkflowBundle from '../../src/workers/workflow-bundle.ts'
import { workflowBundlePath } from '../../src/workers/workflow-bundle.ts'
import type { Guardian } from './start-guardian.ts'
import { templateDatabase } from './template-database.ts'

declare module 'vitest' {
  /** What the global set-ups hand to the tests: `inject('temporalAddress')` and so on. */
  interface ProvidedContext {
    /** Administrative address of the test PostgreSQL; tests use `createTempDatabase`. */
    readonly postgresUrl: string
    /** The bundled workflow code, for `workflowBundle: { codePath }`. */
    readonly workflowBundlePath: string
    /** host:port of the real dev server; only in project integration. */
    readonly temporalAddress: string
    /** Path of the Temporal CLI; only in project integration. */
    readonly temporalCliPath: string
    /** For `executable: { type: 'existing-path', path }`; only in project time-skipping. */
    readonly timeSkippingServerPath: string
  }
}

/**
 * Nothing on the server of the tests outlives a power cut. What has to is tested on the servers that commands start, as
 * users get them.
 */
export const nothingToKeep = { fsync: 'off', full_page_writes: 'off' }

/** An empty folder that is removed when the run ends. */
export function makeTestFolder(guardian: Guardian): string {
  const folder = mkdtempSync(join(tmpdir(), 'record-linker-servers-'))
  guardian.guardFolder(folder)
  return folder
}

/**
 * The embedded PostgreSQL as users get it, with a migrated template database. Returns its address.
 * @param settings beside those that users get
 */
export async function startTestPostgres(
  guardian: Guardian,
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<string> {
  const home = openHome(makeHomeFolder(join(folder, 'home')))
  const { place } = await preparePostgresPlace(home, () => undefined)
  guardian.guardFolder(place.folder)
  const port = await anyFreePort()
  const password = randomUUID()
  await startPostgres({
    place,
    port,
    password,
    logFile: join(folder, 'postgres.log'),
    settings,
    onStart: (mark) => guardian.guardProcess(mark, 'SIGQUIT'),
  })
  const url = postgresUrl(port, password)
  await createTemplate(url)
  return url
}

/** A dev server in memory with our search attributes. Returns its address. */
export async function startTestTemporal(
  guardian: Guardian,
  folder: string,
  cli: string,
): Promise<string> {
  const port = await anyFreePort()
  await startTemporal({
    cli,
    port,
    uiPort: await anyFreePort(),
    namespace: 'default',
    logFile: join(folder, 'temporal.log'),
    onStart: (mark) => guardian.guardProcess(mark, 'SIGKILL'),
  })
  return `127.0.0.1:${port}`
}

/**
 * The bundled workflows; made again only when their sources changed. Also what the workers of commands will read, so
 * that no two test files make it at once.
 */
export async function bundleWorkflows(): Promise<string> {
  const program = join(await ensureCompiled(), 'workers/workflow-bundle.js')
  const ofCommands = (await import(pathToFileURL(program).href)) as typeof WorkflowBundle
  const cache = programCache(join(packageRoot, '.record-linker/cache'))
  const [path] = await Promise.all([
    workflowBundlePath(cache),
    ofCommands.workflowBundlePath(cache),
  ])
  return path
}

async function createTemplate(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`create database ${templateDatabase}`)
  } finally {
    await client.end()
  }
  const template = new URL(url)
  template.pathname = `/${templateDatabase}`
  await migrateToLatest(template.href)
}
