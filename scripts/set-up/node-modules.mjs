import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cachePath, packageRoot } from './places.mjs'
import { runStep } from './run-step.mjs'
import { withLock } from './with-lock.mjs'

const lockFile = join(packageRoot, 'package-lock.json')
const modules = join(packageRoot, 'node_modules')
/** Lies in node_modules, so that it goes when they go. */
const stampFile = join(modules, '.record-linker-set-up')

/**
 * Installs the node modules when they are missing, or were installed for another lock file or Node.
 * Two set-ups at once wait for each other.
 */
export async function ensureNodeModules() {
  if (isCurrent()) return
  const lockName = createHash('sha256').update(packageRoot).digest('hex').slice(0, 16)
  await withLock(cachePath('locks', `node-modules-${lockName}.lock`), async () => {
    if (isCurrent()) return
    if (!installedByHand()) await install()
    mkdirSync(modules, { recursive: true })
    writeFileSync(stampFile, stamp())
  })
}

function isCurrent() {
  return readText(stampFile) === stamp()
}

/** What the installed modules depend on: the lock file, and the platform of their native parts. */
function stamp() {
  const lock = createHash('sha256').update(readFileSync(lockFile)).digest('hex')
  return `${lock} node-${process.versions.modules} ${process.platform}-${process.arch}\n`
}

/**
 * Whether npm's own record of node_modules says the same as the lock file (somebody ran `npm install`).
 * Only without a stamp of another Node: native parts might not fit. With NODE_ENV=production, as in an image, what only
 * development needs may be missing.
 */
function installedByHand() {
  const installed = packagesOf(join(modules, '.package-lock.json'))
  const old = readText(stampFile)
  if (
    installed === undefined ||
    (old !== undefined && platformPart(old) !== platformPart(stamp()))
  ) {
    return false
  }
  const isProduction = process.env.NODE_ENV === 'production'
  return Object.entries(packagesOf(lockFile) ?? {}).every(
    ([path, wanted]) =>
      path === '' ||
      wanted.optional === true ||
      (isProduction && wanted.dev === true) ||
      installed[path]?.version === wanted.version,
  )
}

async function install() {
  const packages = Object.values(packagesOf(lockFile) ?? {})
  const count = packages.filter(({ optional }) => optional !== true).length
  await runStep(
    `installing ${count} packages`,
    'npm',
    ['ci', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: packageRoot,
      hint: 'Check the network or the npm registry settings (npm config get registry), then run the command again.',
    },
  )
}

/** @param {string} text */
function platformPart(text) {
  return text.slice(text.indexOf(' '))
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, optional?: boolean, dev?: boolean }> | undefined}
 */
function packagesOf(file) {
  const text = readText(file)
  return text === undefined ? undefined : JSON.parse(text).packages
}

/** @param {string} file */
function readText(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined // not there
  }
}
