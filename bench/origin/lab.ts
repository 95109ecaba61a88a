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
import { type Guardian, startGuardian } from '../../test/support/start-guardian.ts'
import { makeTestFolder, startTestPostgres } from '../../test/support/test-servers.ts'
import { postgresSettings as composeSettings } from '../../test/support/without-docker/postgres-settings.ts'
import type { LoopbackOrigin } from './loopback-origin.ts'
import {
  startKillablePostgresTemporal,
  startKillableTemporal,
  type KillableTemporal,
} from './temporal-server.ts'

export interface Lab {
  readonly temporal: KillableTemporal
  readonly client: Client
  readonly db: Db
  readonly databaseUrl: string
  /** Starts workers until there are as many as there should be; resolves when all are ready. */
  readonly restoreWorkers: () => Promise<void>
  /** Others in their place, from now on with these flags. */
  readonly replaceWorkers: (...flags: readonly string[]) => Promise<void>
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

/** Where Temporal keeps its data: in a file, as users have it, or in PostgreSQL, as production has it. */
export type TemporalStore = 'sqlite' | 'postgres'

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
 * @param store Of Temporal.
 */
export async function openLab(
  workers: number,
  postgresSettings: Readonly<Record<string, string>> = {},
  store: TemporalStore = 'sqlite',
): Promise<Lab> {
  const guardian = startGuardian()
  try {
    const folder = makeTestFolder(guardian)
    const { databaseUrl, temporal } =
      store === 'sqlite'
        ? await startUserServers(guardian, folder, postgresSettings)
        : await startProductionServers(guardian, folder, postgresSettings)
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
        spawn(join(packageRoot, 'record-linker'), args, {
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
    let workerFlags: readonly string[] = []
    const restoreWorkers = async (): Promise<void> => {
      const missing = Array.from({ length: workers - living.size }, () => {
        const name = `worker-${names.size + 1}`
        const command = start(['worker', ...workerFlags], `${name}@bench.example`)
        names.set(command.mark.pid, name)
        living.set(command.mark.pid, { name, command })
        return command
      })
      await Promise.all(missing.map((command) => command.until('The worker is ready')))
    }

    return {
      temporal,
      client: new Client({ connection }),
      db,
      databaseUrl,
      start: (...args) => start(args),
      run,
      restoreWorkers,
      async replaceWorkers(...flags) {
        for (const pid of living.keys()) process.kill(pid, 'SIGTERM')
        await Promise.all([...living.values()].map(({ command }) => command.ended))
        living.clear()
        workerFlags = flags
        await restoreWorkers()
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

interface Servers {
  readonly databaseUrl: string
  readonly temporal: KillableTemporal
}

type Settings = Readonly<Record<string, string>>

async function startUserServers(
  guardian: Guardian,
  folder: string,
  settings: Settings,
): Promise<Servers> {
  const [databaseUrl, temporal] = await Promise.all([
    startTestPostgres(guardian, folder, settings),
    startKillableTemporal(guardian, folder),
  ])
  return { databaseUrl, temporal }
}

async function startProductionServers(
  guardian: Guardian,
  folder: string,
  settings: Settings,
): Promise<Servers> {
  const all = { ...composeSettings(), ...settings }
  const databaseUrl = await startTestPostgres(guardian, folder, all)
  return {
    databaseUrl,
    temporal: await startKillablePostgresTemporal(guardian, folder, databaseUrl),
  }
}

function csv(records: number): string {
  const lines = Array.from({ length: records }, (_, n) => `b${n},Brand ${n}`)
  return ['id,name', ...lines, ''].join('\n')
}
