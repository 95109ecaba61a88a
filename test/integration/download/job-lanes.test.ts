/** Jobs of lanes: how they are claimed, begun together, and what a death costs them. */
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { defaultQueueOptions } from '../../../src/core/download/queue-options.ts'
import { connectDatabase, type Db } from '../../../src/db/connect.ts'
import {
  ensureQueue,
  noteQueueCancel,
  setQueuePaused,
  takeUpQueue,
} from '../../../src/db/download-queues.repo.ts'
import { finishAttempts } from '../../../src/db/job-finishes.repo.ts'
import { enqueueJobs } from '../../../src/db/job-intake.repo.ts'
import {
  beginInLanes,
  claimForLane,
  handBackLane,
  lanesOutlook,
  takeOverLane,
} from '../../../src/db/job-lanes.repo.ts'
import { onTempDatabase } from '../../support/on-temp-database.ts'

let db: Db
let queue: string
onTempDatabase((url) => (db = connectDatabase(url)))
beforeEach(async () => {
  queue = `q-${randomUUID().slice(0, 8)}`
  await ensureQueue(db, queue, defaultQueueOptions)
  await takeUpQueue(db, { queue, temporalRunId: 'run' })
})

const fill = (hosts: readonly string[]) =>
  enqueueJobs(
    db,
    queue,
    hosts.map((host, index) => ({
      artifactId: `${host}/${index}`,
      artifact: {},
      resolverHint: null,
      priority: 0,
      host,
    })),
  )
const claim = (lane: string, limit: number, lanesPerHost = 8, temporalRunId = 'run') =>
  claimForLane(db, { ...wish, queue, lane, limit, lanesPerHost, temporalRunId })
const wish = { temporalRunId: 'run', workflowId: 'w', groupHosts: 'host' } as const
const begin = async (lane: string, ...jobIds: readonly number[]) => {
  const begins = jobIds.map((jobId) => ({
    jobId,
    lane,
    token: randomUUID(),
    temporalRunId: 'run',
  }))
  const begun = await beginInLanes(db, begins)
  return begins.map(({ token }, index) => (begun[index] === true ? token : undefined))
}
const jobs = () =>
  db
    .selectFrom('jobs')
    .where('queue', '=', queue)
    .select(['artifact_id as name', 'state', 'attempts', 'reason', 'attempt_token as token'])
    .orderBy('id')
    .execute()
const resultOf = (text: string) => ({
  sha256: text.repeat(64).slice(0, 64),
  bytes: 1,
  contentType: null,
  finalUrl: null,
  httpStatus: 200,
  cacheStatus: 'stored',
  displayName: null,
  licence: null,
})

it('lanes that claim side by side get different jobs, and each as many as it asked for', async () => {
  await fill(Array.from({ length: 24 }, (_, index) => `h${index % 3}`))
  const claimed = await Promise.all(['1', '2', '3', '4'].map((lane) => claim(lane, 5)))
  expect(claimed.map(({ length }) => length)).toEqual([5, 5, 5, 5])
  expect(new Set(claimed.flat().map(({ id }) => id)).size).toBe(20)
})

it('no more lanes have jobs of a host than allowed; the outlook counts lanes that would find something', async () => {
  await fill(['a', 'a', 'a', 'a', 'a', 'a', 'b'])
  const outlook = () => lanesOutlook(db, queue, { lanesPerHost: 2, groupHosts: 'host', limit: 16 })
  expect(await outlook()).toEqual({ wanted: 3, isLeft: true, nextDueMs: null })
  const first = await claim('1', 2, 2)
  expect(first.map(({ host }) => host).toSorted()).toEqual(['a', 'b'])
  expect(await claim('2', 2, 2)).toHaveLength(2)
  expect(await claim('3', 2, 2)).toEqual([])
  expect(await outlook()).toEqual({ wanted: 0, isLeft: true, nextDueMs: null })
  expect(await handBackLane(db, { queue, lane: '1' })).toBe(2)
  expect(await outlook()).toMatchObject({ wanted: 2 })
})

it('hosts of one owner take one turn and one share together, and turns in it; the outlook counts them so', async () => {
  const [one, two, other] = ['a.example.org', 'b.example.org:8080', 'other.example']
  await fill([one, one, one, two, two, two, other, other, other])
  const grouped = { ...wish, queue, lanesPerHost: 2, groupHosts: 'domain' } as const
  const outlook = () => lanesOutlook(db, queue, { ...grouped, limit: 16 })
  expect(await outlook()).toEqual({ wanted: 4, isLeft: true, nextDueMs: null })
  const hostsOf = async (lane: string, limit: number) =>
    (await claimForLane(db, { ...grouped, lane, limit })).map(({ host }) => host).toSorted()
  expect(await hostsOf('1', 4)).toEqual([one, two, other, other])
  expect(await hostsOf('2', 1)).toEqual([one])
  // Two lanes have jobs of the owner's hosts now, and nobody else gets any.
  expect(await outlook()).toMatchObject({ wanted: 1 })
  expect(await hostsOf('3', 9)).toEqual([other])
})

it('when a worker dies, what it had begun has lost an attempt, and what it had claimed has not', async () => {
  await fill(['a', 'b', 'c'])
  const [one, ...ahead] = await claim('1', 3)
  await begin('1', one?.id ?? 0)
  const again = await takeOverLane(db, { queue, lane: '1' }, 3)
  expect(again.map(({ id, attempt }) => [id, attempt])).toEqual([
    [one?.id, 2],
    ...ahead.map(({ id }) => [id, 1]),
  ])
  expect(await jobs()).toMatchObject([
    { attempts: 1, token: null },
    { attempts: 0 },
    { attempts: 0 },
  ])
  const noted = await db
    .selectFrom('download_attempts')
    .where('job_id', '=', one?.id ?? 0)
    .select(['attempt', 'verb', 'reason'])
    .execute()
  expect(noted).toEqual([{ attempt: 1, verb: 'retry', reason: 'worker-lost' }])
})

it('a job that ends every worker fails in the end, and those claimed with it do not', async () => {
  await fill(['a', 'b'])
  let claimed = await claim('1', 2)
  const poison = claimed[0]?.id ?? 0
  for (let death = 0; death < 3; death++) {
    expect(claimed.map(({ id }) => id)).toContain(poison)
    await begin('1', poison)
    claimed = await takeOverLane(db, { queue, lane: '1' }, 3)
  }
  expect(claimed).toHaveLength(1)
  expect(await jobs()).toMatchObject([
    { state: 'error', attempts: 3, reason: 'worker-lost' },
    { state: 'in_progress', attempts: 0, reason: null },
  ])
})

it('of a queue that stands still, or that another execution has, nothing is claimed and nothing begun', async () => {
  await fill(['a', 'b'])
  expect(await claim('1', 1, 8, 'another run')).toEqual([])
  const [job] = await claim('1', 1)
  await setQueuePaused(db, queue, 'by user')
  expect(await claim('2', 1)).toEqual([])
  expect(await begin('1', job?.id ?? 0)).toEqual([undefined])
  await setQueuePaused(db, queue, null)
  expect(await begin('other lane', job?.id ?? 0)).toEqual([undefined])
  await noteQueueCancel(db, { queue, temporalRunId: 'run' })
  expect(await begin('1', job?.id ?? 0)).toEqual([undefined])
})

it('of a queue whose earlier execution was cancelled, everything goes on', async () => {
  await fill(['a'])
  const [job] = await claim('1', 1)
  await noteQueueCancel(db, { queue, temporalRunId: 'an earlier run' })
  expect(await begin('1', job?.id ?? 0)).not.toEqual([undefined])
})

it('of many that end together, only who has lost its job changes nothing', async () => {
  await fill(['a', 'b', 'c'])
  const claimed = await claim('1', 3)
  const ids = claimed.map(({ id }) => id)
  const tokens = await begin('1', ...ids)
  const finishes = ids.map((id, index) => ({
    job: { id, token: index === 1 ? randomUUID() : (tokens[index] ?? '') },
    result: resultOf(String(index)),
  }))
  expect(await finishAttempts(db, finishes)).toEqual([true, false, true])
  expect((await jobs()).map(({ state }) => state)).toEqual(['done', 'in_progress', 'done'])
  expect(await finishAttempts(db, finishes)).toEqual([false, false, false])
})
