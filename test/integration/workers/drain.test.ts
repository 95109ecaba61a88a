/** A worker process that is told to end in the middle of a match, and another one beside it. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { countProject } from '../../../src/db/run-progress.repo.ts'
import { type BrandService, startBrandService, timesAsked } from '../../support/brands.ts'
import { activitiesUnderWay, lookAtHistories } from '../../support/history-look.ts'
import { createTestProject } from '../../support/match-project-rows.ts'
import type { RunningCommand } from '../../support/running-command.ts'
import { openWorkerSite, type WorkerSite } from '../../support/worker-site.ts'

// A process that starts on a busy machine takes its time.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 })

const READY = 'The worker is ready'
const records = Array.from({ length: 60 }, (_, n) => ({ id: `b${n}`, name: `Brand ${n}` }))
/** Two records to a question. */
const ALL_BATCHES = records.length / 2
/** Batches that are answered before the service hangs. */
const ANSWERED = 6
const mapping = { name: 'name', variants: [], properties: [] }

let service: BrandService
beforeAll(async () => {
  service = await startBrandService({ batchSize: 2 })
})
afterAll(() => service.close())

let site: WorkerSite
let projectId: number
let address: string
beforeEach(async () => {
  site = await openWorkerSite()
  address = service.ownAddress()
  projectId = (await createTestProject(site.db, address, records, { mapping })).id
})
afterEach(async () => {
  service.letGo()
  await site.close()
})

const asked = () => service.batchesOf(address)
const hanging = () => asked().filter(({ answered, aborted }) => !answered && !aborted)
const abortedBatches = () => asked().filter(({ aborted }) => aborted)

/**
 * What a worker that has ended left: all of it free for the next one, nothing lost with it. What the server gave away
 * while the worker stopped asking may be lost on the way to it, and comes again for want of a heartbeat.
 */
async function expectHandedBack(worker: RunningCommand): Promise<void> {
  const left = await activitiesUnderWay(site.client)
  expect(left.filter(({ where, saidAlive }) => where !== 'SCHEDULED' && saidAlive)).toEqual([])
  const reasons = left.filter(({ where }) => where === 'SCHEDULED').map(({ after }) => after)
  expect(reasons).toContain('worker_stopping')
  expect(reasons).not.toContain('timeout')
  const updates = (await lookAtHistories(site.client)).flatMap((look) => look.updates)
  const releases = updates.filter((one) => one.startsWith('release '))
  expect(releases.filter((one) => one.includes(`"${worker.mark.pid}@`))).not.toEqual([])
}

it('lets what is on its way arrive and begins nothing more; another one goes on where it was', async () => {
  service.holdAfter(ANSWERED)
  const first = site.start('--grace', '100')
  await first.until(READY)
  const run = await site.match(projectId, { entriesPerTask: 6 })
  await service.until(() => asked().length >= ANSWERED + 3)

  process.kill(first.mark.pid, 'SIGTERM')
  await first.until('Draining')
  service.letGo()
  expect((await first.ended).code).toBe(0)
  expect(asked().length).toBeLessThan(ALL_BATCHES)
  await expectHandedBack(first)

  site.start()
  await run.result()
  expect(await countProject(site.db, projectId)).toMatchObject({ completed: 60, failed: 0 })
  expect(abortedBatches()).toEqual([])
  expect(Math.max(...timesAsked(asked()).values())).toBe(1)
})

it('cuts off what has not arrived when its time is over; another one asks exactly that again', async () => {
  service.holdAfter(ANSWERED)
  const first = site.start('--grace', '1')
  await first.until(READY)
  const run = await site.match(projectId, { entriesPerTask: 6 })
  await service.until(() => asked().length >= ANSWERED + 3)

  process.kill(first.mark.pid, 'SIGTERM')
  expect((await first.ended).code).toBe(0)
  await service.until(() => hanging().length === 0)
  const cutOff = abortedBatches()
  expect(cutOff.length).toBeGreaterThanOrEqual(3)
  await expectHandedBack(first)

  service.letGo()
  const second = site.start()
  await run.result()
  expect(await countProject(site.db, projectId)).toMatchObject({ completed: 60, failed: 0 })
  const times = [...timesAsked(asked())]
  const twice = times.filter(([, count]) => count > 1).map(([question]) => question)
  expect(twice.toSorted()).toEqual([...timesAsked(cutOff).keys()].toSorted())
  expect(Math.max(...times.map(([, count]) => count))).toBe(2)
  process.kill(second.mark.pid, 'SIGINT')
  expect((await second.ended).code).toBe(0)
})

it('ends at once when it is told a second time', async () => {
  service.holdAfter(0)
  const worker = site.start('--grace', '600')
  await worker.until(READY)
  const run = await site.match(projectId)
  await service.until(() => hanging().length > 0)
  process.kill(worker.mark.pid, 'SIGTERM')
  await worker.until('Draining')
  const again = setInterval(() => process.kill(worker.mark.pid, 'SIGTERM'), 700)
  const { code, stderr } = await worker.ended.finally(() => clearInterval(again))
  expect(code).toBe(128 + 15)
  expect(stderr).toContain('Ended at once')
  await run.terminate()
})
