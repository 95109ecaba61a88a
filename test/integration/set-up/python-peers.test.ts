import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { obtainPythonPeers } from '../../../scripts/set-up/python-peers.mjs'
import { startPythonPeers } from '../../support/python-peers.ts'

let folder: string
let programs: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'record-linker-set-up-'))
  programs = join(folder, 'programs')
  mkdirSync(programs)
  vi.stubEnv('XDG_CACHE_HOME', join(folder, 'cache'))
  vi.stubEnv('PATH', [programs, '/usr/bin', '/bin'].join(delimiter))
  vi.stubEnv('LOG', join(folder, 'log'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

/** A Python that makes an environment of itself and, as pip, does what `pip` says. */
function installPython(version: string, pip: string): void {
  const path = join(programs, 'python3')
  writeFileSync(
    path,
    `#!/bin/sh
if [ "$1" = --version ]; then echo "Python ${version}"; exit; fi
echo "$2" >> "$LOG"
if [ "$2" = venv ]; then mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; sleep 0.3; exit; fi
${pip}
`,
  )
  chmodSync(path, 0o755)
}

const log = () => readFileSync(join(folder, 'log'), 'utf8').split('\n').filter(Boolean)

it('are installed once, also by two test runs at the same moment', async () => {
  installPython('3.11.7', 'exit 0')
  const both = await Promise.all([obtainPythonPeers(), obtainPythonPeers()])
  expect(both[0]).toBe(both[1])
  expect(await obtainPythonPeers()).toBe(both[0])
  expect(log()).toEqual(['venv', 'pip'])
})

it('without a fitting Python the tests that need it fail, naming what to install', async () => {
  installPython('3.7.1', 'exit 0')
  vi.stubEnv('PATH', programs)
  await expect(startPythonPeers()).rejects.toThrow(
    /no fitting Python: found Python 3\.7\.1 on PATH, expected "python3" of 3\.9 to 3\.12\.\nThe tests with csv-reconcile and reconciler need one: install it/,
  )
  rmSync(join(programs, 'python3'))
  await expect(startPythonPeers()).rejects.toThrow(/found none on PATH/)
})

it('without a package index they fail with what pip says, and the next run tries again', async () => {
  installPython('3.11.7', 'echo "No matching distribution found" >&2; exit 1')
  const message =
    /installing csv-reconcile==0\.3\.2 and reconciler==0\.2\.2.* failed[^]*No matching distribution[^]*Check that pip can reach a package index/
  await expect(startPythonPeers()).rejects.toThrow(message)
  await expect(startPythonPeers()).rejects.toThrow(message)
  expect(log()).toEqual(['venv', 'pip', 'venv', 'pip'])
})
