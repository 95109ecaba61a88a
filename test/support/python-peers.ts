/** Peers in Python, as real processes: a csv-reconcile server, and programs that use the client `reconciler`. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { obtainPythonPeers } from '../../scripts/set-up/python-peers.mjs'
import { SetUpError } from '../../scripts/set-up/set-up-error.mjs'
import { anyFreePort } from '../../src/client/stack/free-port.ts'
import { type RunningCommand, startCommand } from './running-command.ts'
import { startGuardian } from './start-guardian.ts'

/** Installing them on a slow machine and network, the first time only. */
export const obtainingLimitMs = 600_000

export interface PythonPeers {
  /** A csv-reconcile server of this CSV file. @returns its endpoint */
  readonly serveCsv: (csv: string, idColumn: string, nameColumn: string) => Promise<string>
  /** Runs a program with `reconciler` and the rest. @returns its stdout @throws when it does not end with 0. */
  readonly runPython: (program: string, ...args: readonly string[]) => Promise<string>
  /** Ends all that was started. */
  readonly close: () => Promise<void>
}

/** @throws Error that says what to install. */
export async function startPythonPeers(): Promise<PythonPeers> {
  const programs = await obtainPythonPeers().catch((error: unknown) => {
    throw error instanceof SetUpError ? new Error(`${error.message}\n${error.hint}`) : error
  })
  const guardian = startGuardian()
  const folder = mkdtempSync(join(tmpdir(), 'record-linker-peers-'))
  guardian.guardFolder(folder)

  const start = (cwd: string, program: string, args: readonly string[]): RunningCommand => {
    const child = spawn(join(programs, program), args, {
      cwd,
      env: { PATH: process.env['PATH'], PYTHONUNBUFFERED: '1', LC_ALL: 'C.UTF-8' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const command = startCommand(child, [program, ...args])
    guardian.guardProcess(command.mark, 'SIGKILL')
    return command
  }
  const toItsEnd = async (command: RunningCommand): Promise<string> => {
    const { code, stdout, stderr } = await command.ended
    if (code === 0) return stdout
    throw new Error(`ended with ${code}, expected 0:\n${stdout}\n${stderr}`)
  }

  return {
    async serveCsv(csv, idColumn, nameColumn) {
      const port = await anyFreePort()
      const home = join(folder, `csv-${port}`)
      mkdirSync(home)
      writeFileSync(join(home, 'records.csv'), csv)
      // It takes tabs unless told, and says 404 to any other Host than its SERVER_NAME.
      writeFileSync(
        join(home, 'config.py'),
        `SERVER_NAME = '127.0.0.1:${port}'\nCSVKWARGS = {'delimiter': ',', 'quotechar': '"'}\n`,
      )
      const file = ['--config', join(home, 'config.py'), 'records.csv', idColumn, nameColumn]
      await toItsEnd(start(home, 'csv-reconcile', ['init', ...file]))
      await start(home, 'csv-reconcile', ['serve']).until('Running on')
      return `http://127.0.0.1:${port}/reconcile`
    },
    runPython: (program, ...args) => toItsEnd(start(folder, 'python', ['-c', program, ...args])),
    close: guardian.cleanUp,
  }
}
