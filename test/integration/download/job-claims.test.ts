import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { defaultQueueOptions } from '../../../src/core/download/queue-options.ts'
import { connectDatabase, type Db } from '../../../src/db/connect.ts'
import { ensureQueue, takeUpQueue } from '../../../src/db/download-queues.repo.ts'
import {
  beginAttempt,
  failAttempt,
  finishAttempt,
  type JobAttempt,
} from '../../../src/db/job-attempts.repo.ts'
import { claimJobs } from '../../../src/db/job-claims.repo.ts'
import { enqueueJobs, reopenJobs } from '../../../src/db/job-intake.repo.ts'
import { onTempDatabase } from '../../support/on-temp-database.ts'

let db: Db
let queue: string
onTempDatabase((url) => (db = connectDatabase(url)))

async function fill(jobs: readonly { readonly host: string; readonly priority?: number }[]) {
  queue = `q-${randomUUID().slice(0, 8)}`
  await ensureQueue(db, queue, defaultQueueOptions)
  return enqueueJobs(
    db,
    queue,
    jobs.map(({ host, priority = 0 }, index) => ({
      artifactId: `${host}/${index}`,
      artifact: {},
      resolverHint: null,
      priority,
      host,
    })),
  )
}
const claim = (name: string, limit: number, maxPerHost: number) =>
  claimJobs(db, { queue, claim: name, limit, maxPerHost, workflowId: 'w' })
const names = async (ids: readonly number[]) =>
  (
    await db
      .selectFrom('jobs')
      .where('id', 'in', ids)
      .select('artifact_id')
      .orderBy('artifact_id')
      .execute()
  ).map((row) => row.artifact_id)
const begin = (jobId: number, name: string, maxAttempts = 3) =>
  beginAttempt(db, { jobId, claim: name, token: randomUUID(), temporalRunId: 'r', maxAttempts })
const result = {
  sha256: 'a'.repeat(64),
  bytes: 1,
  contentType: null,
  finalUrl: null,
  httpStatus: 200,
  cacheStatus: 'stored',
  displayName: null,
  licence: null,
}

it('to put the same in twice adds nothing, and says so', async () => {
  expect(await fill([{ host: 'a' }, { host: 'b' }])).toEqual({ inserted: 2, existing: 0 })
  const again = { artifactId: 'a/0', artifact: {}, resolverHint: null, priority: 9, host: 'a' }
  expect(await enqueueJobs(db, queue, [again, again])).toEqual({ inserted: 0, existing: 2 })
})

it('one claim takes of each host in turn, no more than its share, and high priorities before all', async () => {
  await fill([
    { host: 'a' },
    { host: 'a' },
    { host: 'a' },
    { host: 'a' },
    { host: 'b' },
    { host: 'c', priority: -1 },
    { host: 'a', priority: 5 },
  ])
  expect(await names(await claim('1', 3, 3))).toEqual(['a/0', 'a/6', 'b/4'])
  expect(await names(await claim('2', 10, 3))).toEqual(['a/1', 'c/5'])
  expect(await claim('3', 10, 3)).toEqual([])
})

it('a claim that is repeated gives the same jobs; two claims never the same', async () => {
  await fill(Array.from({ length: 40 }, (_, index) => ({ host: `h${index % 4}` })))
  const first = await claim('x', 10, 40)
  expect((await claim('x', 10, 40)).toSorted()).toEqual(first.toSorted())
  const many = await Promise.all(['p', 'q', 'r', 's'].map((one) => claim(one, 10, 40)))
  const all = [...first, ...many.flat()]
  expect(new Set(all).size).toBe(all.length)
})

it('who has lost its job changes nothing: only the attempt of now ends it', async () => {
  await fill([{ host: 'a' }])
  const [id = 0] = await claim('1', 1, 1)
  const old = await begin(id, '1')
  const now = await begin(id, '1')
  expect(await finishAttempt(db, old as JobAttempt, result)).toBe(false)
  expect(
    await failAttempt(db, old as JobAttempt, {
      reason: 'x',
      message: '',
      httpStatus: null,
      retryInMs: null,
    }),
  ).toBe(false)
  expect(await finishAttempt(db, now as JobAttempt, result)).toBe(true)
  expect(await finishAttempt(db, now as JobAttempt, result)).toBe(false)
})

it('a job that kills its worker again and again fails in the end, and can be opened again', async () => {
  await fill([{ host: 'a' }])
  const [id = 0] = await claim('1', 1, 1)
  expect(await begin(id, '1')).toMatchObject({ attempt: 1 })
  expect(await begin(id, '1')).toMatchObject({ attempt: 2 })
  expect(await begin(id, '1')).toMatchObject({ attempt: 3 })
  expect(await begin(id, '1')).toBe('lost')
  expect(
    await db
      .selectFrom('jobs')
      .where('id', '=', id)
      .select(['state', 'reason', 'attempts'])
      .executeTakeFirst(),
  ).toEqual({ state: 'error', reason: 'worker-lost', attempts: 3 })
  expect(await reopenJobs(db, queue, { reason: 'other' })).toBe(0)
  expect(await reopenJobs(db, queue, { reason: 'worker-lost' })).toBe(1)
})

it('another execution takes back what an earlier one left under way', async () => {
  await fill([{ host: 'a' }])
  const [id = 0] = await claim('1', 1, 1)
  const old = await begin(id, '1')
  await takeUpQueue(db, { queue, temporalRunId: 'second' })
  expect(await finishAttempt(db, old as JobAttempt, result)).toBe(false)
  expect(await claim('2', 1, 1)).toEqual([id])
  await takeUpQueue(db, { queue, temporalRunId: 'second' })
  expect(await begin(id, '2')).toMatchObject({ attempt: 1 })
})
