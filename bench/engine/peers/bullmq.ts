import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Queue, Worker } from 'bullmq'
import { countdown } from './countdown.ts'
import type { Peer } from './peer.ts'
import { isRedisThere, startRedis } from './redis-server.ts'

const QUEUE = 'tasks'

export const bullMq: Peer = {
  name: 'BullMQ',
  missing: () => Promise.resolve(isRedisThere() ? null : 'redis-server is not installed'),
  async run({ tasks, concurrency, work }) {
    const folder = await mkdtemp(join(tmpdir(), 'record-linker-redis-'))
    const redis = await startRedis(folder)
    const connection = { host: '127.0.0.1', port: redis.port, maxRetriesPerRequest: null }
    const { done, wrap } = countdown(tasks)
    const counted = wrap(work)
    const queue = new Queue<{ task: number }>(QUEUE, { connection })
    const worker = new Worker<{ task: number }>(QUEUE, ({ data }) => counted(data.task), {
      connection,
      concurrency,
      autorun: false,
    })
    worker.on('error', () => undefined)
    try {
      await queue.waitUntilReady()
      await worker.waitUntilReady()
      const startedMs = performance.now()
      await queue.addBulk(
        Array.from({ length: tasks }, (_, task) => ({ name: 'task', data: { task } })),
      )
      const running = worker.run()
      await done
      const tookMs = performance.now() - startedMs
      await worker.close()
      await running
      return tookMs
    } finally {
      await queue.close()
      await redis.stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
}
