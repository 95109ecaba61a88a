/** As `match/histories.test.ts`, of queues of files. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { downloadQueueId } from '../../../src/core/workflow-ids.ts'
import { findQueue } from '../../../src/db/download-queues.repo.ts'
import { pauseSignal, resumeSignal } from '../../../src/workflows/messages.ts'
import { type FileOrigin, startFileOrigin } from '../../support/file-origin.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'
import {
  keepHistories,
  type RecordedHistory,
  replay,
  takeHistory,
} from '../../support/recorded-histories.ts'
import { openQueue } from './queue-site.ts'

const SECRET = 'secret-canary'
let server: MatchServer
let origin: FileOrigin
beforeAll(async () => {
  server = await startMatchServer()
  origin = await startFileOrigin()
})
afterAll(async () => {
  await origin.close()
  await server.close()
})

async function completed(): Promise<readonly RecordedHistory[]> {
  const queue = await openQueue(server, { maxWorkers: 4 })
  for (let index = 0; index < 10; index += 1) origin.serve(`/${SECRET}/${index}`, { body: SECRET })
  origin.script(`/${SECRET}/9`, [{ status: 502 }, { body: SECRET }])
  await queue.add(
    ...Array.from({ length: 10 }, (_, index) => origin.url(`/${SECRET}/${index}?t=${SECRET}`)),
  )
  await queue.drain()
  return [
    await takeHistory(
      server.bench.client,
      'download-queue-lanes-completed',
      downloadQueueId(queue.name),
    ),
  ]
}

async function pausedAndCancelled(): Promise<readonly RecordedHistory[]> {
  const queue = await openQueue(server)
  origin.serve(`/${SECRET}/held`, { body: SECRET, stallAfter: 2 })
  await queue.add(origin.url(`/${SECRET}/held`))
  const handle = await queue.run()
  await queue.until(async () => origin.requests(`/${SECRET}/held`).length > 0)
  await handle.signal(pauseSignal, { reason: 'by user' })
  const paused = async () => (await findQueue(server.bench.db, queue.name))?.pausedReason
  while ((await paused()) !== 'by user') await sleep(50)
  await handle.signal(resumeSignal)
  while ((await paused()) !== null) await sleep(50)
  await handle.cancel()
  await expect(handle.result()).rejects.toThrow('cancelled')
  return [
    await takeHistory(
      server.bench.client,
      'download-queue-lanes-cancelled',
      downloadQueueId(queue.name),
    ),
  ]
}

it.each([
  ['one that completes', completed],
  ['one that is paused, resumed and cancelled', pausedAndCancelled],
])('the history of %s replays, and has no address and no secret', async (_, scenario) => {
  const recorded = await scenario()
  for (const history of recorded) {
    await replay(inject('workflowBundlePath'), history)
    const text = Buffer.from(history.history, 'base64').toString('latin1')
    expect(text).toContain('fetchInLane')
    expect([text.includes(SECRET), text.includes('127.0.0.1')]).toEqual([false, false])
  }
  if (process.env['RECORD_HISTORIES'] === '1') await keepHistories(recorded)
})
