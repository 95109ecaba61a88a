import { Logger, run } from 'graphile-worker'
import { Pool } from 'pg'
import { countdown } from './countdown.ts'
import { alwaysThere, type Peer } from './peer.ts'

const TASK = 'task'
const silent = new Logger(() => () => undefined)

export const graphileWorker: Peer = {
  name: 'graphile-worker',
  missing: alwaysThere,
  async run({ databaseUrl, tasks, concurrency, work }) {
    const { done, wrap } = countdown(tasks)
    const counted = wrap(work)
    const pool = new Pool({ connectionString: databaseUrl, max: concurrency + 1 })
    pool.on('error', () => undefined)
    const runner = await run({
      pgPool: pool,
      concurrency,
      noHandleSignals: true,
      logger: silent,
      taskList: { [TASK]: (payload) => counted(taskIn(payload)) },
    })
    try {
      const startedMs = performance.now()
      await pool.query(
        `select graphile_worker.add_job($1, json_build_object('task', n)) from generate_series(0, $2::int - 1) n`,
        [TASK, tasks],
      )
      await done
      return performance.now() - startedMs
    } finally {
      await runner.stop()
      await pool.end()
    }
  },
}

function taskIn(payload: unknown): number {
  if (typeof payload === 'object' && payload !== null && 'task' in payload) {
    return Number(payload.task)
  }
  throw new Error('A job without its task.')
}
