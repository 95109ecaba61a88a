/**
 * Everything real: PostgreSQL, Temporal, worker processes as `record-linker worker` starts them, and projects made
 * and started by the command line.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { packageRoot } from '../../src/config.ts'
import { connectDatabase, type Db } from '../../src/db/connect.ts'
import { waitForEnd } from '../../src/client/stack/background-process.ts'
import { startCommand, type RunningCommand } from '../../test/support/running-command.ts'
import { startGuardian } from '../../test/support/start-guardian.ts'
import { makeTestFolder, startTestPostgres } from '../../test/support/test-servers.ts'
import type { LoopbackOrigin } from './loopback-origin.ts'
import { startKillableTemporal, type KillableTemporal } from './temporal-server.ts'

export interface Lab {
  readonly temporal: KillableTemporal
  readonly client: Client
  readonly db: Db
  readonly databaseUrl: string
  /** Starts workers until there are as many as there should be; resolves when all are ready. */
  readonly restoreWorkers: () => Promise<void>
  /** kill -9. @param pid of a worker that lives */
  readonly killWorker: (pid: number) => Promise<void>
  /** Of those that live. */
  readonly workerPids: () => readonly number[]
  /** The name by which an origin knows a process; undefined for one that is not ours. */
  readonly workerName: (pid: number) => string | undefined
  /** Starts a command. */
  readonly start: (...args: readonly string[]) => RunningCommand
  /** Runs a command that must end with 0. @returns its stdout */
  readonly run: (...args: readonly string[]) => Promise<string>
  /** A new project that asks the origin about so many records, started. @returns its number */
  readonly match: (origin: LoopbackOrigin, records: number, path?: string) => Promise<number>
  /** Ends a run; what is on its way is let go. */
  readonly cancel: (project: number) => Promise<void>
  readonly close: () => Promise<void>
}

interface WorkerProcess {
  readonly name: string
  readonly command: RunningCommand
}

const FIRST_PROJECT = 201
/** So that a bench of ten minutes has hundreds of tasks, not thousands. */
const ENTRIES_PER_TASK = 20
const DRAIN_MS = 45_000

/**
 * @param workers Processes that share all limits, at least 1.
 * @param postgresSettings Beside those that users get.
 */
export async function openLab(
  workers: number,
  postgresSettings: Readonly<Record<string, string>> = {},
): Promise<Lab> {
  const guardian = startGuardian()
  try {
    const folder = makeTestFolder(guardian)
    const [databaseUrl, temporal] = await Promise.all([
      startTestPostgres(guardian, folder, postgresSettings),
      startKillableTemporal(guardian, folder),
    ])
    const home = join(folder, 'workers')
    mkdirSync(home)
    const env = {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      RECORD_LINKER_HOME: home,
      TEMPORAL_ADDRESS: temporal.address,
      DATABASE_URL: databaseUrl,
    }
    const start = (args: readonly string[], contact = 'bench@bench.example'): RunningCommand => {
      const command = startCommand(
        spawn(process.execPath, [join(packageRoot, 'scripts/run.mjs'), ...args], {
          cwd: folder,
          detached: true,
          env: { ...env, RECORD_LINKER_CONTACT: contact },
          stdio: ['ignore', 'pipe', 'pipe'],
        }),
        args,
      )
      guardian.guardProcess(command.mark, 'SIGKILL')
      return command
    }
    const run = async (...args: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await start(args).ended
      if (code === 0) return stdout
      throw new Error(`${args.join(' ')} ended with ${code}, expected 0:\n${stderr}`)
    }
    await run('migrate')
    const connection = await Connection.connect({ address: temporal.address })
    const db = connectDatabase(databaseUrl)
    const living = new Map<number, WorkerProcess>()
    const names = new Map<number, string>()
    let project = FIRST_PROJECT

    return {
      temporal,
      client: new Client({ connection }),
      db,
      databaseUrl,
      start: (...args) => start(args),
      run,
      async restoreWorkers() {
        const missing = Array.from({ length: workers - living.size }, () => {
          const name = `worker-${names.size + 1}`
          const command = start(['worker'], `${name}@bench.example`)
          names.set(command.mark.pid, name)
          living.set(command.mark.pid, { name, command })
          return command
        })
        await Promise.all(missing.map((command) => command.until('The worker is ready')))
      },
      async killWorker(pid) {
        const worker = living.get(pid)
        if (worker === undefined) throw new Error(`expected to kill process ${pid}: not a worker`)
        process.kill(pid, 'SIGKILL')
        living.delete(pid)
        await worker.command.ended
      },
      workerPids: () => [...living.keys()],
      workerName: (pid) => names.get(pid),
      async match(origin, records, path = '') {
        const number = project++
        const file = join(folder, `brands-${number}.csv`)
        writeFileSync(file, csv(records))
        const service = ['--service', `${origin.url}${path}`]
        await run(
          'import',
          file,
          '--project',
          `${number}`,
          '--id',
          'id',
          '--name',
          'name',
          ...service,
        )
        const size = ['--entries-per-task', `${ENTRIES_PER_TASK}`]
        await run('start-match', '--project', `${number}`, '--detach', ...size)
        return number
      },
      async cancel(number) {
        await run('cancel-match', '--project', `${number}`)
      },
      async close() {
        for (const pid of living.keys()) process.kill(pid, 'SIGTERM')
        await Promise.all(
          [...living.values()].map(({ command }) => waitForEnd(command.mark, DRAIN_MS)),
        )
        await db.destroy()
        await connection.close()
        await guardian.cleanUp()
      },
    }
  } catch (error) {
    await guardian.cleanUp()
    throw error
  }
}

function csv(records: number): string {
  const lines = Array.from({ length: records }, (_, n) => `b${n},Brand ${n}`)
  return ['id,name', ...lines, ''].join('\n')
}
