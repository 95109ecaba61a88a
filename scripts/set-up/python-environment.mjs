import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findOnPath, isExecutable, outputOf } from './executable.mjs'
import { cachePath } from './places.mjs'
import { runStep } from './run-step.mjs'
import { SetUpError } from './set-up-error.mjs'
import { withLock } from './with-lock.mjs'

/** NumPy before 2, which one of them needs, is built for these. */
const PYTHONS = { major: 3, oldestMinor: 9, newestMinor: 12 }

/**
 * A Python environment made once; pip asks whatever index the machine is set to.
 * @param {{ name: string, requirements: readonly string[] }} wanted the first requirements are what it is for
 * @returns {Promise<string>} the folder of its programs
 * @throws {SetUpError} naming what is missing.
 */
export async function obtainPythonEnvironment({ name, requirements }) {
  const hash = createHash('sha256').update(requirements.join(' ')).digest('hex')
  const folder = cachePath(`${name}-${hash.slice(0, 8)}`)
  if (!isThere(folder)) {
    await withLock(cachePath('locks', `${name}.lock`), () => make(folder, requirements))
  }
  return join(folder, 'bin')
}

/**
 * @param {string} folder
 * @param {readonly string[]} requirements
 */
async function make(folder, requirements) {
  if (isThere(folder)) return
  const pinned = requirements.filter((one) => one.includes('=='))
  const python = await findPython(pinned.map((one) => one.replace(/==.*/, '')).join(' and '))
  // Its programs carry its path, so it is made in place; the stamp is the last thing written.
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(dirname(folder), { recursive: true })
  await runStep('making a Python environment for tests, once', python, ['-m', 'venv', folder], {
    hint: 'Install the "venv" module of Python (on Debian the package python3-venv), then run the tests again.',
  })
  await runStep(
    `installing ${pinned.join(' and ')} for tests, once`,
    join(folder, 'bin/python'),
    ['-m', 'pip', 'install', '--no-input', '--disable-pip-version-check', ...requirements],
    {
      hint: `Check that pip can reach a package index (python3 -m pip config list; python3 -m pip download ${pinned.at(-1)}), then run the tests again.`,
    },
  )
  writeFileSync(stampFile(folder), '')
}

/** @param {string} folder */
function isThere(folder) {
  return existsSync(stampFile(folder)) && isExecutable(join(folder, 'bin/python'))
}

/** @param {string} folder */
function stampFile(folder) {
  return join(folder, '.complete')
}

/** @param {string} what that needs it */
async function findPython(what) {
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
    `The tests with ${what} need one: install it (packages python3 and python3-venv), then run the tests again.`,
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
