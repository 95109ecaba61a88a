/** The thread of `decide-in-thread.ts`: decides one task per message, several at a time, until it is told to close. */
import { parentPort, workerData } from 'node:worker_threads'
import { createTaskDecider } from '../activities/decide-task.ts'
import { countryNamed } from '../core/names/country-names.ts'
import { connectDatabase } from '../db/connect.ts'
import type {
  DecideMessage,
  DecideReport,
  DecideThreadData,
  SentError,
} from './decide-in-thread.ts'

const ALIVE_EVERY_MS = 1_000

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own thread is given nothing else
const { databaseUrl, maxConnections } = workerData as DecideThreadData
const db = connectDatabase(databaseUrl, { maxConnections })
const underWay = new Map<number, AbortController>()

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
const say = (report: DecideReport): void => parentPort?.postMessage(report)
const decider = createTaskDecider({ db, onDecided: (counts) => say({ kind: 'stored', counts }) })
const alive = setInterval(() => say({ kind: 'alive' }), ALIVE_EVERY_MS)

parentPort?.on('message', (message: DecideMessage) => {
  if (message.kind === 'decide') void decide(message)
  else if (message.kind === 'abort') underWay.get(message.id)?.abort()
  else void close()
})

// Read on first use, from all languages; now nobody waits for it.
countryNamed([])

async function decide({ id, key, run }: DecideMessage & { kind: 'decide' }): Promise<void> {
  const controller = new AbortController()
  underWay.set(id, controller)
  try {
    say({ kind: 'decided', id, waiting: await decider.decide(key, run, controller.signal) })
  } catch (error) {
    say({ kind: 'failed', id, error: sent(error) })
  } finally {
    underWay.delete(id)
  }
}

async function close(): Promise<void> {
  clearInterval(alive)
  await db.destroy()
  parentPort?.close()
}

function sent(error: unknown): SentError {
  if (!(error instanceof Error)) {
    return { name: 'Error', message: typeof error, stack: undefined, code: undefined }
  }
  const { name, message, stack } = error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return { name, message, stack, code }
}
