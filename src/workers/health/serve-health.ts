import type { Connection } from '@temporalio/client'
import type { Worker } from '@temporalio/worker'
import { sql } from 'kysely'
import { connectDatabase } from '../../db/connect.ts'
import type { Logger } from '../../log.ts'
import { startHealthServer } from './health-server.ts'
import { checkPolling, createWorkerHealth } from './worker-health.ts'

export interface ServeHealthOptions {
  /** 0: a free one; undefined: nobody wants to know, and nothing is done. */
  readonly healthPort: number | undefined
  readonly healthHost: string
  /** Aborted when the worker is told to end. */
  readonly stopping: AbortSignal
  readonly log: Logger
}

export interface WatchedParts {
  readonly work: Worker
  readonly limiters: Worker
  readonly connection: Connection
  readonly databaseUrl: string
}

export interface ServedHealth {
  /** Called when the worker has all it works with. */
  readonly watch: (parts: WatchedParts) => void
  readonly close: () => Promise<void>
}

/** A call to Temporal gives up in this time, ms: the client would repeat it for ever. */
const CALL_LIMIT_MS = 1_800

/**
 * Answers how a worker is, from its first moment to its last. Postgres is asked on a connection of its own: a pool
 * whose connections are all in use is busy, not away.
 */
export async function serveHealth(options: ServeHealthOptions): Promise<ServedHealth> {
  const { healthPort: port, healthHost: host, stopping, log } = options
  if (port === undefined) return { watch: () => undefined, close: async () => undefined }
  const health = createWorkerHealth(stopping)
  const server = await startHealthServer({ host, port, readiness: health.readiness })
  log.info({ url: server.url }, 'Answers /healthz and /readyz.')
  let db: ReturnType<typeof connectDatabase> | undefined
  return {
    watch({ work, limiters, connection, databaseUrl }) {
      const own = connectDatabase(databaseUrl, { maxConnections: 1 })
      db = own
      health.watch({
        work_queue: () => checkPolling(work),
        limiter_queue: () => checkPolling(limiters),
        postgres: async () => void (await sql`select 1`.execute(own)),
        temporal: async () => {
          const deadline = Date.now() + CALL_LIMIT_MS
          await connection.withDeadline(deadline, () =>
            connection.workflowService.getSystemInfo({}),
          )
        },
      })
    },
    async close() {
      health.close()
      await server.close()
      await db?.destroy()
    },
  }
}
