/** A Temporal server that can be killed and started again with its data, on the same port. */
import { join } from 'node:path'
import { obtainTemporalServer } from '../../scripts/set-up/temporal-server.mjs'
import { waitForEnd } from '../../src/client/stack/background-process.ts'
import { anyFreePort } from '../../src/client/stack/free-port.ts'
import { startTemporal } from '../../src/client/stack/temporal-server.ts'
import type { Guardian } from '../../test/support/start-guardian.ts'

export interface KillableTemporal {
  readonly address: string
  /** SQLite file. */
  readonly dataFile: string
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
  let mark = await start()
  return {
    address: `127.0.0.1:${options.port}`,
    dataFile: options.dataFile,
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
