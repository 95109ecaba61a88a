import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findOnPath, isExecutable, outputOf } from './executable.mjs'
import { cachePath } from './places.mjs'
import { runStep } from './run-step.mjs'
import { SetUpError } from './set-up-error.mjs'
import { withLock } from './with-lock.mjs'

/** A server and a client of the Reconciliation API that nobody here wrote. `reconciler` dies with NumPy 2. */
const REQUIREMENTS = ['csv-reconcile==0.3.2', 'reconciler==0.2.2', 'numpy<2', 'pandas<3']

/** NumPy before 2 is built for these. */
const PYTHONS = { major: 3, oldestMinor: 9, newestMinor: 12 }

/**
 * A Python environment with the peers we are tested against, made once; pip asks whatever index the machine is set to.
 * Only tests need it.
 * @returns {Promise<string>} the folder of its programs: `python`, `csv-reconcile`.
 * @throws {SetUpError} naming what is missing.
 */
export async function obtainPythonPeers() {
  if (!isThere()) await withLock(cachePath('locks', 'python-peers.lock'), make)
  return join(folder(), 'bin')
}

async function make() {
  if (isThere()) return
  const python = await findPython()
  // Its programs carry its path, so it is made in place; the stamp is the last thing written.
  rmSync(folder(), { recursive: true, force: true })
  mkdirSync(dirname(folder()), { recursive: true })
  await runStep('making a Python environment for tests, once', python, ['-m', 'venv', folder()], {
    hint: 'Install the "venv" module of Python (on Debian the package python3-venv), then run the tests again.',
  })
  await runStep(
    `installing ${REQUIREMENTS.slice(0, 2).join(' and ')} for tests, once`,
    join(folder(), 'bin/python'),
    ['-m', 'pip', 'install', '--no-input', '--disable-pip-version-check', ...REQUIREMENTS],
    {
      hint: 'Check that pip can reach a package index (python3 -m pip config list; python3 -m pip download reconciler==0.2.2), then run the tests again.',
    },
  )
  writeFileSync(stampFile(), '')
}

function isThere() {
  return existsSync(stampFile()) && isExecutable(join(folder(), 'bin/python'))
}

function folder() {
  const hash = createHash('sha256').update(REQUIREMENTS.join(' ')).digest('hex')
  return cachePath(`python-peers-${hash.slice(0, 8)}`)
}

function stampFile() {
  return join(folder(), '.complete')
}

async function findPython() {
  const { major, oldestMinor, newestMinor } = PYTHONS
  const names = ['python3']
  for (let minor = newestMinor; minor >= oldestMinor; minor--) names.push(`python${major}.${minor}`)
  const found = names.flatMap((name) => findOnPath(name) ?? [])
  const versions = await Promise.all(found.map((path) => outputOf(path, ['--version'])))
  const fitting = found.find((_, index) => isFitting(versions[index] ?? ''))
  if (fitting !== undefined) return fitting
  const seen = versions.map((version) => version.trim()).filter((version) => version !== '')
  throw new SetUpError(
    `There is no fitting Python: found ${seen.length === 0 ? 'none' : seen.join(', ')} on PATH, expected "python3" of ${major}.${oldestMinor} to ${major}.${newestMinor}.`,
    'The tests with csv-reconcile and reconciler need one: install it (packages python3 and python3-venv), then run the tests again.',
  )
}

/** @param {string} text output of `python3 --version` */
function isFitting(text) {
  const [, major, minor] = /Python (\d+)\.(\d+)/.exec(text) ?? []
  return (
    Number(major) === PYTHONS.major &&
    Number(minor) >= PYTHONS.oldestMinor &&
    Number(minor) <= PYTHONS.newestMinor
  )
}
