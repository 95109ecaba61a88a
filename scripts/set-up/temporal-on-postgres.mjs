import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findOnPath, isExecutable, outputOf } from './executable.mjs'
import { cachePath } from './places.mjs'
import { runStep } from './run-step.mjs'
import { SetUpError } from './set-up-error.mjs'
import { withLock } from './with-lock.mjs'

/** What go.mod there names is what is built; all of it is Temporal's but the filling in of the template. */
const sources = fileURLToPath(new URL('./temporal-on-postgres/', import.meta.url))
const packages = [
  'go.temporal.io/server/cmd/server',
  'go.temporal.io/server/cmd/tools/sql',
  './server-config',
]

/**
 * @typedef {object} TemporalOnPostgres
 * @property {string} server `temporal-server` of the images
 * @property {string} sqlTool `temporal-sql-tool` of the images: makes the tables
 * @property {string} serverConfig fills in a template on its stdin from its environment
 * @property {string} configTemplate the template of the images
 */

/**
 * A Temporal server as production has it, with what its image holds beside it; for tests and benchmarks. In our cache, or
 * built with Go. What is on PATH does not count: it comes without the template of the image.
 * @returns {Promise<TemporalOnPostgres>} paths
 * @throws {SetUpError} where there is no Go, or it cannot build it.
 */
export async function obtainTemporalOnPostgres() {
  const folder = cachePath(`temporal-on-postgres-${key()}-${process.platform}-${process.arch}`)
  if (!isWhole(folder)) {
    await withLock(cachePath('locks', 'temporal-on-postgres.lock'), () => build(folder))
  }
  return filesOf(folder)
}

/** @param {string} folder */
async function build(folder) {
  if (isWhole(folder)) return // by whoever had the lock before us
  const go = findOnPath('go')
  if (go === undefined) {
    throw new SetUpError(
      'There is no Temporal server on PostgreSQL: it was not built yet, and there is no Go to build it.',
      'Install Go (https://go.dev/dl), so that "go version" works; then run the command again.',
    )
  }
  const draft = `${folder}.new` // ours alone: we hold the lock
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  try {
    // The same flags as for the CLI: what is compiled for one is not compiled again for the other.
    await runStep(
      'building the Temporal server for PostgreSQL with Go, once, 1 to 5 minutes',
      go,
      ['build', '-trimpath', '-ldflags=-s -w', '-o', `${draft}/`, ...packages],
      { cwd: sources, hint: 'Check that Go can download modules (go env GOPROXY).' },
    )
    const list = ['list', '-C', sources, '-m', '-f', '{{.Dir}}', 'go.temporal.io/server']
    const module = (await outputOf(go, list)).trim()
    copyFileSync(join(module, 'docker/config_template.yaml'), filesOf(draft).configTemplate)
    rmSync(folder, { recursive: true, force: true })
    renameSync(draft, folder)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** @param {string} folder */
function isWhole(folder) {
  const { configTemplate, ...programs } = filesOf(folder)
  return existsSync(configTemplate) && Object.values(programs).every(isExecutable)
}

/** @param {string} folder */
function filesOf(folder) {
  return {
    server: join(folder, 'server'),
    sqlTool: join(folder, 'sql'),
    serverConfig: join(folder, 'server-config'),
    configTemplate: join(folder, 'config_template.yaml'),
  }
}

/** Other sources, another folder. */
function key() {
  const hash = createHash('sha256')
  for (const file of ['go.mod', 'go.sum', 'server-config/main.go']) {
    hash.update(readFileSync(join(sources, file)))
  }
  return hash.digest('hex').slice(0, 8)
}
