import PgBoss from 'pg-boss'
import { countdown } from './countdown.ts'
import { alwaysThere, type Peer } from './peer.ts'

const QUEUE = 'tasks'
/** The shortest it allows. */
const POLLING_SECONDS = 0.5

/** As many workers of one job each as there may be tasks at a time: a batch would wait for its slowest. */
export const pgBoss: Peer = {
  name: 'pg-boss',
  missing: alwaysThere,
  async run({ databaseUrl, tasks, concurrency, work }) {
    const boss = new PgBoss({ connectionString: databaseUrl, max: concurrency })
    const { done, wrap } = countdown(tasks)
    const counted = wrap(work)
    boss.on('error', () => undefined)
    await boss.start()
    try {
      await boss.createQueue(QUEUE)
      const startedMs = performance.now()
      await boss.insert(
        Array.from({ length: tasks }, (_, task) => ({ name: QUEUE, data: { task } })),
      )
      for (let worker = 0; worker < concurrency; worker += 1) {
        await boss.work<{ task: number }>(
          QUEUE,
          { pollingIntervalSeconds: POLLING_SECONDS },
          async (jobs) => {
            for (const { data } of jobs) await counted(data.task)
          },
        )
      }
      await done
      return performance.now() - startedMs
    } finally {
      await boss.stop({ graceful: false })
    }
  },
}
