/**
 * The forked process of another engine, which does the batches of the plain loop. Its arguments are the address of our
 * database, that of an empty one for the engine, the engine's name, the project, the batch size and the tasks at a time; it
 * says `{ decided, ms }` and ends. Counted is what the plain loop counts, the plan and the work, and not the engine's start.
 */
import { connectDatabase } from '../../src/db/connect.ts'
import { peers } from './peers/catalogue.ts'
import { openPlainWork } from './plain-loop.ts'
import type { PlainLoopEnd } from './plain-loop-process.ts'

const [databaseUrl = '', ownUrl = '', name, project, batchSize, concurrency] = process.argv.slice(2)
const peer = peers.find((one) => one.name === name)
if (peer === undefined) throw new Error(`expected the name of an engine, found ${name}`)
const db = connectDatabase(databaseUrl, { maxConnections: Number(concurrency) })
const startedMs = performance.now()
const work = await openPlainWork(db, {
  projectId: Number(project),
  batchSize: Number(batchSize),
})
const plannedMs = performance.now() - startedMs
let decided = 0
const tookMs = await peer.run({
  databaseUrl: ownUrl,
  tasks: work.batches,
  concurrency: Number(concurrency),
  async work(batch) {
    decided += await work.match(batch)
  },
})
await work.close()
const end: PlainLoopEnd = { decided, ms: plannedMs + tookMs }
process.send?.(end)
await db.destroy()
process.disconnect()
// What an engine left running is not waited for.
process.exit()
