/** A Temporal server that can be killed and started again with its data, on the same port. */
import { join } from 'node:path'
import { obtainTemporalServer } from '../../scripts/set-up/temporal-server.mjs'
import { waitForEnd } from '../../src/client/stack/background-process.ts'
import { anyFreePort } from '../../src/client/stack/free-port.ts'
import type { ProcessMark } from '../../src/client/stack/process-identity.mjs'
import { startTemporal } from '../../src/client/stack/temporal-server.ts'
import type { Guardian } from '../../test/support/start-guardian.ts'
import { thisMachine } from '../../test/support/without-docker/local-service.ts'
import { startTemporalOnPostgres } from '../../test/support/without-docker/temporal-on-postgres.ts'

export interface KillableTemporal {
  readonly address: string
  /** SQLite file; undefined: it is in PostgreSQL. */
  readonly dataFile?: string
  readonly pid: () => number
  /** kill -9. */
  kill(): Promise<void>
  /** Resolves when it answers. */
  start(): Promise<void>
}

const KILL_LIMIT_MS = 10_000

export async function startKillableTemporal(
  guardian: Guardian,
  folder: string,
): Promise<KillableTemporal> {
  const options = {
    cli: await obtainTemporalServer(),
    port: await anyFreePort(),
    uiPort: await anyFreePort(),
    namespace: 'default',
    dataFile: join(folder, 'temporal.db'),
    logFile: join(folder, 'temporal.log'),
  }
  const start = () =>
    startTemporal({ ...options, onStart: (mark) => guardian.guardProcess(mark, 'SIGKILL') })
  const { dataFile } = options
  return { address: `127.0.0.1:${options.port}`, dataFile, ...killable(await start(), start) }
}

/** As production has it: Temporal of docker-compose.yml, in the same PostgreSQL as our tables. */
export async function startKillablePostgresTemporal(
  guardian: Guardian,
  folder: string,
  databaseUrl: string,
): Promise<KillableTemporal> {
  const temporal = await startTemporalOnPostgres(guardian, folder, thisMachine(folder, databaseUrl))
  return { address: temporal.address, ...killable(temporal.mark, temporal.start) }
}

function killable(
  first: ProcessMark,
  start: () => Promise<ProcessMark>,
): Pick<KillableTemporal, 'pid' | 'kill' | 'start'> {
  let mark = first
  return {
    pid: () => mark.pid,
    async kill() {
      process.kill(mark.pid, 'SIGKILL')
      if (await waitForEnd(mark, KILL_LIMIT_MS)) return
      throw new Error(`Temporal, process ${mark.pid}, outlived kill -9 by ${KILL_LIMIT_MS} ms`)
    },
    async start() {
      mark = await start()
    },
  }
}
