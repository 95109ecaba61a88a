/**
 * The forked process of the plain loop. Its arguments are the address of the database, the project, the batch size and
 * the requests in flight; it says `{ decided, ms }` and ends.
 */
import { connectDatabase } from '../../src/db/connect.ts'
import { matchPlainly } from './plain-loop.ts'

/** What it says. */
export interface PlainLoopEnd {
  /** Records. */
  readonly decided: number
  readonly ms: number
}

const [databaseUrl = '', project, batchSize, concurrency] = process.argv.slice(2)
// As many as it has requests in flight: it must not wait for a connection longer than one may.
const db = connectDatabase(databaseUrl, { maxConnections: Number(concurrency) })
const startedMs = performance.now()
const decided = await matchPlainly(db, {
  projectId: Number(project),
  batchSize: Number(batchSize),
  concurrency: Number(concurrency),
})
const end: PlainLoopEnd = { decided, ms: performance.now() - startedMs }
process.send?.(end)
await db.destroy()
process.disconnect()
