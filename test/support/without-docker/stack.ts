/**
 * What `docker compose up` starts, without Docker and on free ports of loopback: PostgreSQL, a Temporal server on it,
 * migrations, workers, pages, Prometheus. Temporal's own pages and Grafana have no package here.
 *
 *   const stack = await startStackWithoutDocker(guardian, folder)
 *   const cli = createCli(stack.servers)
 *   process.kill(stack.workers[0].mark.pid, 'SIGKILL')
 *   await stack.stop()
 */
import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { obtainPrometheus } from '../../../scripts/set-up/prometheus.mjs'
import { stopProcess } from '../../../src/client/stack/background-process.ts'
import { anyFreePort } from '../../../src/client/stack/free-port.ts'
import { homePaths } from '../../../src/client/stack/home.ts'
import { packageRoot } from '../../../src/config.ts'
import { bareEnv } from '../bare-env.ts'
import { type RunningCommand, startCommand } from '../running-command.ts'
import type { Guardian } from '../start-guardian.ts'
import { bundleWorkflows, startTestPostgres } from '../test-servers.ts'
import { composeService } from './compose-file.ts'
import { type LocalService, localService, type ThisMachine, thisMachine } from './local-service.ts'
import { postgresSettings } from './postgres-settings.ts'
import { type PrometheusServer, startPrometheus } from './prometheus-server.ts'
import { startTemporalOnPostgres } from './temporal-on-postgres.ts'

export interface StackWithoutDocker {
  /** Settings of commands that are to use it. */
  readonly servers: Readonly<Record<string, string>>
  readonly workers: readonly StackWorker[]
  /** Address of the pages. */
  readonly pages: string
  readonly pagesToken: string
  readonly prometheus: PrometheusServer
  /** Workers and pages drain; the rest goes with the guardian. */
  readonly stop: () => Promise<void>
}

export interface StackWorker extends RunningCommand {
  /** By which services know it. */
  readonly contact: string
  /** Host and port of its metrics. */
  readonly metrics: string
}

const DRAIN_MS = 45_000

export async function startStackWithoutDocker(
  guardian: Guardian,
  folder: string,
): Promise<StackWithoutDocker> {
  const databaseUrl = await startTestPostgres(guardian, folder, postgresSettings())
  const postgres = thisMachine(folder, databaseUrl)
  const temporal = await startTemporalOnPostgres(guardian, folder, postgres)
  const addresses = { ...postgres.addresses, 'temporal:7233': temporal.address }
  const machine = { ...postgres, addresses }
  const start = ({ command, environment }: LocalService): RunningCommand => {
    const started = startCommand(
      spawn(process.execPath, [join(packageRoot, 'scripts/run.mjs'), ...command], {
        cwd: folder,
        detached: true,
        env: { ...bareEnv(), ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
      command,
    )
    guardian.guardProcess(started.mark, 'SIGKILL')
    return started
  }

  // Where the volume of workers and pages is; the container of the migration has a folder of its own that nobody misses.
  const home = await makeHome(machine)
  const migrate = localService('migrate', machine, { RECORD_LINKER_HOME: home })
  const migration = await start(migrate).ended
  if (migration.code !== 0)
    throw new Error(`migrate ended with ${migration.code}: ${migration.stderr}`)

  const replicas = composeService('worker').deploy?.replicas ?? 1
  const workers: StackWorker[] = []
  for (let number = 1; number <= replicas; number += 1) {
    const contact = `worker-${number}@stack.example`
    const metrics = `127.0.0.1:${await anyFreePort()}`
    const worker = localService('worker', machine, {
      RECORD_LINKER_CONTACT: contact,
      RECORD_LINKER_HEALTH_PORT: String(await anyFreePort()),
      RECORD_LINKER_METRICS: metrics,
    })
    workers.push({ ...start(worker), contact, metrics })
  }
  const web = localService('web', machine)
  const port = await anyFreePort()
  const webCommand = start({ ...web, command: onLoopback(web.command, port) })
  const { prometheus: program } = await obtainPrometheus()
  const targets = workers.map(({ metrics }) => metrics)
  const prometheus = await startPrometheus(guardian, {
    program,
    folder: join(folder, 'prometheus'),
    targets,
  })
  await Promise.all(workers.map((worker) => worker.until('The worker is ready')))
  await webCommand.until(`:${port}`)
  return {
    servers: { TEMPORAL_ADDRESS: temporal.address, DATABASE_URL: databaseUrl },
    workers,
    pages: `http://127.0.0.1:${port}`,
    pagesToken: machine.variables['RECORD_LINKER_WEB_TOKEN'] ?? '',
    prometheus,
    async stop() {
      const steps = [{ signal: 'SIGTERM', waitMs: DRAIN_MS }] as const
      await Promise.all([webCommand, ...workers].map(({ mark }) => stopProcess(mark, steps)))
    },
  }
}

/** With the workflows bundled already: that would take most of the start. */
async function makeHome({ volumes }: ThisMachine): Promise<string> {
  const home = join(volumes, 'record-linker')
  const { cache } = homePaths(home)
  mkdirSync(cache, { recursive: true })
  const bundle = await bundleWorkflows()
  copyFileSync(bundle, join(cache, basename(bundle)))
  return home
}

function onLoopback(command: readonly string[], port: number): readonly string[] {
  const given: Readonly<Record<string, string>> = { '--host': '127.0.0.1', '--port': String(port) }
  return command.map((word, index) => given[command[index - 1] ?? ''] ?? word)
}
