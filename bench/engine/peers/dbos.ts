import { DBOS } from '@dbos-inc/dbos-sdk'
import { countdown } from './countdown.ts'
import { alwaysThere, type Peer } from './peer.ts'

const QUEUE = 'tasks'

/** A workflow of one step per task, in a queue. One run per process, as it registers its workflows once. */
export const dbos: Peer = {
  name: 'DBOS',
  missing: alwaysThere,
  async run({ databaseUrl, tasks, concurrency, work }) {
    const { done, wrap } = countdown(tasks)
    const counted = wrap(work)
    DBOS.setConfig({ name: 'bench-engine', systemDatabaseUrl: databaseUrl, logLevel: 'error' })
    const task = DBOS.registerWorkflow(
      (number: number) => DBOS.runStep(() => counted(number), { name: 'work' }),
      { name: 'task' },
    )
    await DBOS.launch()
    try {
      await DBOS.registerQueue(QUEUE, { workerConcurrency: concurrency })
      const startedMs = performance.now()
      for (let number = 0; number < tasks; number += concurrency) {
        const some = Array.from(
          { length: Math.min(concurrency, tasks - number) },
          (_, at) => number + at,
        )
        await Promise.all(some.map((one) => DBOS.startWorkflow(task, { queueName: QUEUE })(one)))
      }
      await done
      return performance.now() - startedMs
    } finally {
      await DBOS.shutdown()
    }
  },
}
