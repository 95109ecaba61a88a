import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findOnPath, isExecutable, outputOf } from './executable.mjs'
import { cachePath } from './places.mjs'
import { runStep } from './run-step.mjs'
import { downloadFailedLately, downloadThroughSdk, sdkDownloadPath } from './sdk-download.mjs'
import { SetUpError } from './set-up-error.mjs'
import { withLock } from './with-lock.mjs'

/** Oldest server with updates and update-with-start as we use them. */
const OLDEST_SERVER = { major: 1, minor: 28 }

/** Server 1.29.1, UI 2.42; later releases of the CLI refuse `go install` (a `replace` in their go.mod). */
const CLI_VERSION = '1.5.1'
const CLI_PACKAGE = 'github.com/temporalio/cli/cmd/temporal'

/**
 * The Temporal CLI, whose `server start-dev` is our embedded server: on PATH, in our cache, downloaded by the
 * SDK, or built with Go.
 * @returns {Promise<string>} its path
 * @throws {SetUpError} naming the three ways to get one.
 */
export async function obtainTemporalServer() {
  return (await findOnPathNewEnough()) ?? findInCache() ?? (await withLock(lockPath(), obtain))
}

async function obtain() {
  const cached = findInCache()
  if (cached !== undefined) return cached
  const go = findOnPath('go')
  if (go === undefined || !downloadFailedLately()) {
    const path = await downloadThroughSdk('temporal', 'downloading the Temporal dev server, once')
    if (path !== undefined) return path
  }
  if (go !== undefined) return buildWithGo(go)
  throw new SetUpError(
    `There is no Temporal dev server: no program "temporal" with server ${serverText(OLDEST_SERVER)} or newer on PATH, it could not be downloaded, and there is no Go to build it.`,
    [
      'One of these three is enough; then run the command again:',
      '  1. install the Temporal CLI, so that "temporal --version" works: https://docs.temporal.io/cli',
      '  2. give this machine access to the network, so that the Temporal SDK can download it',
      '  3. install Go (https://go.dev/dl), which builds it once in about 4 minutes',
    ].join('\n'),
  )
}

async function findOnPathNewEnough() {
  const path = findOnPath('temporal')
  if (path === undefined) return undefined
  const server = parseServerVersion(await outputOf(path, ['--version']))
  return server !== undefined && isNewEnough(server) ? path : undefined
}

function findInCache() {
  return [sdkDownloadPath('temporal'), builtPath()].find(isExecutable)
}

/** @param {string} go */
async function buildWithGo(go) {
  const target = builtPath()
  const folder = `${dirname(target)}.new` // ours alone: we hold the lock
  rmSync(folder, { recursive: true, force: true })
  try {
    await runStep(
      'building the Temporal dev server with Go, once, about 4 minutes',
      go,
      ['install', '-trimpath', '-ldflags=-s -w', `${CLI_PACKAGE}@v${CLI_VERSION}`],
      {
        env: { ...process.env, GOBIN: folder },
        hint: 'Check that Go can download modules (go env GOPROXY), or install the Temporal CLI: https://docs.temporal.io/cli',
      },
    )
    mkdirSync(dirname(target), { recursive: true })
    renameSync(join(folder, 'temporal'), target)
    return target
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function builtPath() {
  return cachePath(`temporal-cli-${CLI_VERSION}-${process.platform}-${process.arch}`, 'temporal')
}

function lockPath() {
  return cachePath('locks', 'temporal-server.lock')
}

/**
 * @param {string} text output of `temporal --version`
 * @returns {{ major: number, minor: number } | undefined}
 */
export function parseServerVersion(text) {
  const found = /Server (\d+)\.(\d+)/.exec(text)
  return found === null ? undefined : { major: Number(found[1]), minor: Number(found[2]) }
}

/** @param {{ major: number, minor: number }} server */
export function isNewEnough(server) {
  return (
    server.major > OLDEST_SERVER.major ||
    (server.major === OLDEST_SERVER.major && server.minor >= OLDEST_SERVER.minor)
  )
}

/** @param {{ major: number, minor: number }} server */
function serverText(server) {
  return `${server.major}.${server.minor}`
}
