/**
 * The servers that the Temporal SDK downloads for tests, put into our cache by one throw-away start of them.
 */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isExecutable } from './executable.mjs'
import { cachePath, packageRoot } from './places.mjs'
import { runStep } from './run-step.mjs'
import { SetUpError } from './set-up-error.mjs'

/** Without a further byte for so long, the download is given up. */
const STALL_LIMIT_MS = 30_000
/** After a download that was not possible, other ways go first for so long. */
const REMEMBER_FAILURE_MS = 24 * 60 * 60 * 1000

const failureMark = cachePath('sdk-download-not-possible')

/**
 * @param {'temporal' | 'time-skipping'} server
 * @returns {string} where the downloaded program lies, or would.
 */
export function sdkDownloadPath(server) {
  return cachePath(`${server}-sdk-${sdkVersion()}`, server)
}

/** @returns {boolean} whether a download failed on this machine in the last day. */
export function downloadFailedLately() {
  const failedAt = statSync(failureMark, { throwIfNoEntry: false })?.mtimeMs
  return failedAt !== undefined && Date.now() - failedAt < REMEMBER_FAILURE_MS
}

/**
 * @param {'temporal' | 'time-skipping'} server
 * @param {string} label
 * @returns {Promise<string | undefined>} its path; undefined when the download is not possible from here.
 */
export async function downloadThroughSdk(server, label) {
  const target = sdkDownloadPath(server)
  const folder = `${dirname(target)}.new` // ours alone: we hold the lock
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const child = fileURLToPath(new URL('./sdk-download-child.mjs', import.meta.url))
  try {
    await runStep(label, process.execPath, [child, server, folder], {
      hint: '',
      failedNote: 'not possible from here',
      isStuck: stallWatch(folder),
    })
    const program = readdirSync(folder)
      .map((name) => join(folder, name))
      .find(isExecutable)
    if (program === undefined) return undefined
    mkdirSync(dirname(target), { recursive: true })
    renameSync(program, target)
    rmSync(failureMark, { force: true })
    return target
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error
    writeFileSync(failureMark, `${error.message}\n`)
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string} folder */
function stallWatch(folder) {
  let bytes = -1
  let grewAt = performance.now()
  return () => {
    const now = readdirSync(folder).reduce((sum, name) => sum + sizeOf(join(folder, name)), 0)
    if (now !== bytes) {
      bytes = now
      grewAt = performance.now()
    }
    return performance.now() - grewAt > STALL_LIMIT_MS
  }
}

/** @param {string} path */
function sizeOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

function sdkVersion() {
  const manifest = join(packageRoot, 'node_modules/@temporalio/testing/package.json')
  return JSON.parse(readFileSync(manifest, 'utf8')).version
}
