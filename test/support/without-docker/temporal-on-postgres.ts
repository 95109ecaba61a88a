/**
 * Temporal as docker-compose.yml starts it, without Docker: its three steps (tables, server, namespace) with the scripts
 * and variables of the file, and the configuration that its image makes of them.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  obtainTemporalOnPostgres,
  type TemporalOnPostgres,
} from '../../../scripts/set-up/temporal-on-postgres.mjs'
import { obtainTemporalServer } from '../../../scripts/set-up/temporal-server.mjs'
import { startInBackground } from '../../../src/client/stack/background-process.ts'
import { isPortFree } from '../../../src/client/stack/free-port.ts'
import { openLogFile } from '../../../src/client/stack/log-file.ts'
import { isRunning, type ProcessMark } from '../../../src/client/stack/process-identity.mjs'
import { bareEnv } from '../bare-env.ts'
import type { Guardian } from '../start-guardian.ts'
import { runStep } from './compose-step.ts'
import { type LocalService, localService, type ThisMachine } from './local-service.ts'

export interface PostgresTemporal {
  readonly address: string
  readonly mark: ProcessMark
  /** Starts the server again after its end, on its port; resolves when it listens. */
  readonly start: () => Promise<ProcessMark>
}

/** What the template of the image reads beside the variables of docker-compose.yml; it has a default for each. */
const portVariables = [
  'FRONTEND_GRPC_PORT',
  'FRONTEND_HTTP_PORT',
  ...['FRONTEND', 'MATCHING', 'HISTORY', 'WORKER'].map((part) => `${part}_MEMBERSHIP_PORT`),
  ...['MATCHING', 'HISTORY', 'WORKER'].map((part) => `${part}_GRPC_PORT`),
]
/** In PostgreSQL the port of a member is a smallint; the system gives higher ones to whoever asks for any. */
const HIGHEST_PORT = 32_767
const LOWEST_PORT = 20_000
const NAMESPACE_LIMIT_MS = 120_000
const LOG_COLUMNS = 300

/**
 * @param folder Of its own: configuration and log.
 * @param machine Knows where `postgres:5432` is.
 */
export async function startTemporalOnPostgres(
  guardian: Guardian,
  folder: string,
  machine: ThisMachine,
): Promise<PostgresTemporal> {
  const programs = await obtainTemporalOnPostgres()
  const cli = await obtainTemporalServer()
  const store = postgresHere(localService('temporal', machine), machine)
  await runStep(localService('temporal-schema', machine, store), { SQL_TOOL: programs.sqlTool })

  const ports = await distinctPorts(portVariables)
  const loopback = { ...store, BIND_ON_IP: '127.0.0.1' }
  configure(programs, folder, {
    ...localService('temporal', machine, loopback).environment,
    ...ports,
  })
  const port = Number(ports['FRONTEND_GRPC_PORT'])
  const start = () => startServer(guardian, programs.server, folder, port)
  const mark = await start()

  const address = `127.0.0.1:${port}`
  const step = localService('temporal-namespace', machine, { TEMPORAL_ADDRESS: address })
  const deadline = performance.now() + NAMESPACE_LIMIT_MS
  // Whoever listens does not answer yet; there, too, the step is repeated until it succeeds.
  for (;;) {
    try {
      await runStep(step, { TEMPORAL_CLI: cli })
      break
    } catch (cause) {
      if (isRunning(mark) && performance.now() < deadline) await sleep(500)
      else throw new Error(`Temporal does not answer:\n${lastLines(folder)}`, { cause })
    }
  }
  return { address, mark, start }
}

function lastLines(folder: string): string {
  const lines = readFileSync(logFile(folder), 'utf8').trim().split('\n').slice(-12)
  return lines.map((line) => line.slice(0, LOG_COLUMNS)).join('\n')
}

function logFile(folder: string): string {
  return join(folder, 'temporal.log')
}

function postgresHere({ environment }: LocalService, { addresses }: ThisMachine) {
  const inside = `${environment['POSTGRES_SEEDS']}:${environment['DB_PORT']}`
  const here = addresses[inside]
  if (here === undefined) throw new Error(`Temporal asks for ${inside}, which is no address here`)
  const [host = '', port = ''] = here.split(':')
  return { POSTGRES_SEEDS: host, DB_PORT: port }
}

function configure(
  { serverConfig, configTemplate }: TemporalOnPostgres,
  folder: string,
  environment: Readonly<Record<string, string>>,
): void {
  const input = readFileSync(configTemplate)
  const { status, stdout, stderr } = spawnSync(serverConfig, { env: environment, input })
  if (status !== 0) throw new Error(`The configuration could not be made: ${String(stderr)}`)
  mkdirSync(join(folder, 'config'), { recursive: true })
  // It holds the password.
  writeFileSync(join(folder, 'config/docker.yaml'), stdout, { mode: 0o600 })
}

async function startServer(
  guardian: Guardian,
  server: string,
  folder: string,
  port: number,
): Promise<ProcessMark> {
  const log = openLogFile(logFile(folder))
  try {
    const mark = await startInBackground({
      command: server,
      args: ['--root', folder, '--config', 'config', '--env', 'docker', 'start'],
      cwd: folder,
      env: bareEnv(),
      log,
    })
    guardian.guardProcess(mark, 'SIGKILL')
    while (!(await listens(port))) {
      if (!isRunning(mark)) throw new Error(`Temporal ended while it started:\n${log.tail()}`)
      await sleep(100)
    }
    return mark
  } finally {
    log.close()
  }
}

/** What the health check of docker-compose.yml asks. */
function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    const settle = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => settle(true)).once('error', () => settle(false))
  })
}

async function distinctPorts(names: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const ports = new Set<number>()
  while (ports.size < names.length) {
    const port = LOWEST_PORT + Math.floor(Math.random() * (HIGHEST_PORT - LOWEST_PORT))
    if (await isPortFree(port)) ports.add(port)
  }
  const found = [...ports]
  return Object.fromEntries(names.map((name, index) => [name, String(found[index])]))
}
