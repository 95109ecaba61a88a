/** Files from a queue into the store, by a real worker, from a host that counts for itself. */
import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { findQueue, setQueueOptions, setQueuePaused } from '../../../src/db/download-queues.repo.ts'
import { reopenJobs } from '../../../src/db/job-intake.repo.ts'
import {
  downloadProgressQuery,
  pauseSignal,
  resumeSignal,
} from '../../../src/workflows/messages.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'
import { type FileOrigin, type SeenRequest, startFileOrigin } from '../../support/file-origin.ts'
import { openQueue } from './queue-site.ts'

vi.setConfig({ testTimeout: 240_000 })

let server: MatchServer
let origin: FileOrigin
beforeAll(async () => {
  server = await startMatchServer()
  // Several hosts, as names of this machine.
  const started = await startFileOrigin('0.0.0.0')
  origin = { ...started, url: (path, host = '127.0.0.1') => started.url(path, host) }
})
afterAll(async () => {
  await origin.close()
  await server.close()
})

/** Requests that were on their way together. */
function mostAtOnce(requests: readonly SeenRequest[]): number {
  const ends = requests.map(({ startMs, endMs }) => ({ startMs, endMs: endMs ?? Infinity }))
  return Math.max(
    0,
    ...ends.map(
      ({ startMs: at }) => ends.filter((one) => one.startMs <= at && at < one.endMs).length,
    ),
  )
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

it('fetches each file once, whole, and ends when nothing is left', async () => {
  const queue = await openQueue(server)
  for (const name of ['a', 'b', 'c']) origin.serve(`/one/${name}.txt`, { body: `file ${name}` })
  await queue.add(...['a', 'b', 'c', 'a'].map((name) => origin.url(`/one/${name}.txt`)))
  await queue.drain()

  const jobs = await queue.jobs()
  expect(jobs.map(({ state, reason, last_error: error }) => [state, reason, error])).toEqual(
    Array.from({ length: 3 }, () => ['done', null, null]),
  )
  expect(jobs.map((job) => job.sha256)).toEqual(
    ['a', 'b', 'c'].map((name) => sha256(`file ${name}`)),
  )
  expect(jobs.map((job) => queue.stored(job.sha256 ?? '').toString())).toEqual([
    'file a',
    'file b',
    'file c',
  ])
  expect(origin.requests().filter(({ path }) => path.startsWith('/one/'))).toHaveLength(3)
  expect(queue.parts()).toEqual([])
})

it('never has more bodies of a host, or of a resolver, on their way than allowed; the host counts', async () => {
  const queue = await openQueue(server, { maxPerHost: 2, maxPerResolver: { direct: 3 } })
  const files = Array.from({ length: 24 }, (_, index) => `/caps/${index}`)
  let asked = 0
  let fill = () => undefined as void
  const isFull = new Promise<void>((resolve) => (fill = resolve))
  for (const file of files) {
    origin.serve(file, () => {
      asked += 1
      if (asked === 3) fill()
      return { body: file, before: isFull.then(() => sleep(60)) }
    })
  }
  const hosts = ['127.0.0.1', '127.0.0.2', '127.0.0.3']
  const before = origin.requests().length
  await queue.add(...files.map((file, index) => origin.url(file, hosts[index % 3])))
  await queue.drain()

  expect((await queue.stats()).states.done).toBe(24)
  const mine = origin.requests().slice(before)
  for (const host of hosts)
    expect(mostAtOnce(mine.filter((one) => one.host === host))).toBeLessThanOrEqual(2)
  expect(mostAtOnce(mine)).toBe(3)
})

it('case 16: only what failed is asked again', async () => {
  const queue = await openQueue(server, { maxAttempts: 1 })
  const files = Array.from({ length: 30 }, (_, index) => `/again/${index}`)
  for (const [index, file] of files.entries()) {
    if (index % 4 === 0) origin.script(file, [{ status: 500 }, { body: file }])
    else origin.serve(file, { body: file })
  }
  await queue.add(...files.map((file) => origin.url(file)))
  await queue.drain()
  expect((await queue.stats()).states).toMatchObject({ done: 22, error: 8 })
  expect((await queue.stats()).reasons).toEqual({ 'server-error': 8 })

  const before = origin.requests().length
  expect(await reopenJobs(server.bench.db, queue.name, {})).toBe(8)
  await queue.drain()
  expect(origin.requests().slice(before)).toHaveLength(8)
  expect((await queue.stats()).states).toMatchObject({ done: 30, error: 0 })
})

it('a failure that may pass is tried again after its wait, as often as allowed, and each attempt is noted', async () => {
  const queue = await openQueue(server)
  origin.script('/twice', [{ status: 502 }, { status: 502 }, { body: 'at last' }])
  origin.serve('/never', { status: 502 })
  await queue.add(origin.url('/twice'), origin.url('/never'))
  await queue.drain()
  const [twice, never] = await queue.jobs()
  expect([twice?.state, twice?.attempts, never?.state, never?.attempts]).toEqual([
    'done',
    2,
    'error',
    3,
  ])
  expect(origin.requests('/never')).toHaveLength(3)
  expect((await queue.attempts()).filter(({ verb }) => verb === 'retry')).toHaveLength(4)
})

it('403 and 404 of one way lead to the next; with none left the file has failed', async () => {
  const queue = await openQueue(server)
  origin.serve('/ways/403', { status: 403 })
  origin.serve('/ways/good', { body: 'good' })
  const urls = ['/ways/none', '/ways/403', '/ways/good'].map((path) => origin.url(path))
  await queue.add(
    { artifact: { urls } },
    { artifact: { urls: urls.slice(0, 2) }, artifactId: 'two' },
  )
  await queue.drain()
  const [good, bad] = await queue.jobs()
  expect([good?.state, bad?.state, bad?.reason, bad?.attempts]).toEqual([
    'done',
    'error',
    'forbidden',
    1,
  ])
})

it('case 12: a full disk pauses the queue with one message, and a resume does what is left', async () => {
  // More than any disk has left: the next files find none.
  const full = await openQueue(server, { reserveBytes: 2 ** 50 })
  for (const name of ['x', 'y', 'z']) origin.serve(`/disk/${name}`, { body: `disk ${name}` })
  await full.add(...['x', 'y', 'z'].map((name) => origin.url(`/disk/${name}`)))
  const handle = await full.run()
  const row = () => findQueue(server.bench.db, full.name)
  await full.until(async () => (await row())?.pausedReason != null)
  await full.until(async () => (await full.stats()).states.queued === 3)
  expect((await row())?.pausedReason).toMatch(/^disk-full: /)
  expect((await full.jobs()).map(({ attempts }) => attempts)).toEqual([0, 0, 0])
  expect(full.parts()).toEqual([])

  await setQueueOptions(server.bench.db, full.name, full.withOptions({ reserveBytes: 0 }))
  await setQueuePaused(server.bench.db, full.name, null)
  await handle.signal(resumeSignal)
  await handle.result()
  expect((await full.stats()).states.done).toBe(3)
})

it('rule 16: the same content for many files of a host is flagged, and what was done is kept', async () => {
  const queue = await openQueue(server, { suspiciousDuplicates: 2 })
  for (let index = 0; index < 4; index += 1)
    origin.serve(`/login/${index}`, { body: 'Please sign in' })
  origin.serve('/login/real', { body: 'a document' })
  await queue.add(...[0, 1, 2, 3, 'real'].map((name) => origin.url(`/login/${name}`)))
  await queue.drain()
  expect((await queue.jobs()).map(({ flag }) => flag)).toEqual([
    ...Array.from({ length: 4 }, () => 'suspicious-duplicate'),
    null,
  ])
})

it('case 9: an attempt whose job was given to another ends its transfer, and changes nothing', async () => {
  const { db } = server.bench
  const queue = await openQueue(server)
  origin.script('/fenced', [{ body: 'x'.repeat(9_000), stallAfter: 4_000 }, { body: 'the file' }])
  await queue.add(origin.url('/fenced'))
  const handle = await queue.run()
  await queue.until(async () => origin.requests('/fenced').length > 0)
  // As a later attempt does, when the server has given up this one.
  const token = randomUUID()
  await db
    .updateTable('jobs')
    .set({ attempt_token: token })
    .where('queue', '=', queue.name)
    .execute()
  await queue.until(async () => origin.requests('/fenced')[0]?.endMs !== null)
  // Nobody has that token, so in the end the job is begun anew.
  await handle.result()
  expect(await queue.jobs()).toMatchObject([
    { state: 'done', attempts: 0, sha256: sha256('the file') },
  ])
  expect(origin.requests('/fenced')).toHaveLength(2)
  expect(queue.parts()).toEqual([])
})

it('after a pause nothing more is asked for, and a resume goes on', async () => {
  const queue = await openQueue(server, { maxWorkers: 2 })
  const files = Array.from({ length: 12 }, (_, index) => `/pause/${index}`)
  for (const file of files)
    origin.serve(file, { body: file.repeat(20), drip: { bytes: 40, everyMs: 20 } })
  await queue.add(...files.map((file) => origin.url(file)))
  const handle = await queue.run()
  const asked = () => origin.requests().filter(({ path }) => path.startsWith('/pause/'))
  await queue.until(async () => asked().length > 2)
  await setQueuePaused(server.bench.db, queue.name, 'by user')
  await handle.signal(pauseSignal, { reason: 'by user' })
  await queue.until(
    async () =>
      (await handle.query(downloadProgressQuery)).phase === 'paused' &&
      (await queue.stats()).states.in_progress === 0,
  )
  const before = asked().length
  await sleep(1_500)
  expect(asked()).toHaveLength(before)
  await setQueuePaused(server.bench.db, queue.name, null)
  await handle.signal(resumeSignal)
  await handle.result()
  expect((await queue.stats()).states.done).toBe(12)
  expect(asked()).toHaveLength(12)
})

it('after a cancel nothing goes out, what was not finished waits, and the next run does it', async () => {
  const queue = await openQueue(server)
  const files = Array.from({ length: 20 }, (_, index) => `/cancel/${index}`)
  for (const file of files)
    origin.serve(file, { body: file.repeat(200), drip: { bytes: 100, everyMs: 50 } })
  await queue.add(...files.map((file) => origin.url(file)))
  const handle = await queue.run()
  const asked = () => origin.requests().filter(({ path }) => path.startsWith('/cancel/'))
  await queue.until(async () => asked().length >= 2)
  await handle.cancel()
  await expect(handle.result()).rejects.toThrow('cancelled')
  const before = asked().length
  const { states } = await queue.stats()
  expect([states.in_progress, states.queued + states.done]).toEqual([0, 20])
  await sleep(1_500)
  expect(asked()).toHaveLength(before)
  expect(queue.parts()).toEqual([])
  for (const file of files) origin.serve(file, { body: file })
  await queue.drain()
  expect((await queue.stats()).states.done).toBe(20)
})

it('goes on as a new execution after many events, and loses nothing by it', async () => {
  const queue = await openQueue(server)
  const files = Array.from({ length: 40 }, (_, index) => `/long/${index}`)
  for (const file of files) origin.serve(file, { body: file })
  await queue.add(...files.map((file) => origin.url(file)))
  const handle = await queue.run({ eventsPerExecution: 60 })
  await handle.result()
  const { runId } = await handle.describe()
  expect(runId).not.toBe(handle.firstExecutionRunId)
  expect((await queue.stats()).states.done).toBe(40)
  expect(origin.requests().filter(({ path }) => path.startsWith('/long/'))).toHaveLength(40)
})

it('an answer that is stored and fresh is used without asking, also by another queue', async () => {
  origin.serve('/fresh', { body: 'fresh', headers: { 'cache-control': 'max-age=3600' } })
  for (const expected of ['stored', 'hit']) {
    const queue = await openQueue(server)
    await queue.add(origin.url('/fresh'))
    await queue.drain()
    const [job] = await queue.jobs()
    expect([job?.state, job?.cache_status]).toEqual(['done', expected])
  }
  expect(origin.requests('/fresh')).toHaveLength(1)
})

it('no address and no name is in the history of a queue', async () => {
  const queue = await openQueue(server)
  origin.serve('/secret-name.pdf', { body: 'secret-content' })
  await queue.add(origin.url('/secret-name.pdf?token=secret-token'))
  const handle = await queue.run()
  await handle.result()
  const history = await handle.fetchHistory()
  const readable = JSON.stringify(history, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString() : value,
  )
  expect(readable).toContain('fetchInLane')
  expect(readable).not.toContain('secret')
})
