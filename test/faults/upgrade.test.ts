/**
 * The worker is replaced by one of the next version in the middle of a match: real processes, the second of which runs
 * a changed copy of the sources.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { countProject } from '../../src/db/run-progress.repo.ts'
import { type BrandService, startBrandService, timesAsked } from '../support/brands.ts'
import { lookAtHistories } from '../support/history-look.ts'
import { createTestProject } from '../support/match-project-rows.ts'
import { makeNextVersion, type NextVersion } from '../support/next-version.ts'
import { openWorkerSite, type WorkerSite } from '../support/worker-site.ts'

const READY = 'The worker is ready'
const RECORDS = 120
const records = Array.from({ length: RECORDS }, (_, n) => ({ id: `b${n}`, name: `Brand ${n}` }))
const mapping = { name: 'name', variants: [], properties: [] }

let service: BrandService
let next: NextVersion
beforeAll(async () => {
  service = await startBrandService({ batchSize: 2 })
  next = await makeNextVersion()
})
afterAll(async () => {
  await service.close()
  next.remove()
})

let site: WorkerSite
beforeEach(async () => {
  site = await openWorkerSite([next.bundle])
})
afterEach(async () => {
  service.letGo()
  await site.close()
})

const tableOf = (projectId: number) =>
  site.db
    .selectFrom('result')
    .where('project_id', '=', projectId)
    .orderBy('position')
    .select(['external_id', 'match_status', 'match_qid', 'score', 'margin', 'rule', 'reason'])
    .execute()

/** A run that the worker of this code has begun, with some of its requests on their way. */
async function begun() {
  const address = service.ownAddress()
  const project = await createTestProject(site.db, address, records, { mapping })
  service.holdAfter(8)
  const worker = site.start('--grace', '100')
  await worker.until(READY)
  const run = await site.match(project.id, { entriesPerTask: 4 })
  await service.until(() => service.batchesOf(address).length >= 12)
  return { address, project, worker, run }
}

it('a run goes on where it was, without an error, to the same table', async () => {
  const { address, project, worker, run } = await begun()
  process.kill(worker.mark.pid, 'SIGTERM')
  await worker.until('Draining')
  service.letGo()
  expect((await worker.ended).code).toBe(0)
  site.startWith({ root: next.root })
  await run.result()
  expect(await countProject(site.db, project.id)).toMatchObject({ completed: RECORDS, failed: 0 })
  expect(Math.max(...timesAsked(service.batchesOf(address)).values())).toBe(1)
  const looks = await lookAtHistories(site.client)
  expect(looks.flatMap(({ failures }) => failures)).toEqual([])

  // Tasks of both kinds were there: begun before, and with the marker of the change.
  const tasks = looks.filter(({ workflowId }) => workflowId.includes('/task-'))
  const marked = tasks.filter(({ events }) => events.includes('MARKER_RECORDED')).length
  expect(marked).toBeGreaterThan(0)
  expect(tasks.length - marked).toBeGreaterThan(0)

  const undisturbed = await createTestProject(site.db, service.ownAddress(), records, { mapping })
  await (await site.match(undisturbed.id, { entriesPerTask: 4 })).result()
  expect(await tableOf(project.id)).toEqual(await tableOf(undisturbed.id))
})

it('so it does when the old worker was killed', async () => {
  const { project, worker, run } = await begun()
  process.kill(worker.mark.pid, 'SIGKILL')
  await worker.ended
  service.letGo()
  site.startWith({ root: next.root })
  await run.result()
  expect(await countProject(site.db, project.id)).toMatchObject({ completed: RECORDS, failed: 0 })
  const looks = await lookAtHistories(site.client)
  expect(looks.flatMap(({ failures }) => failures)).toEqual([])
})

it('a change without a marker would be noticed', async () => {
  const broken = await makeNextVersion({ isPatched: false })
  try {
    const { worker, run } = await begun()
    process.kill(worker.mark.pid, 'SIGTERM')
    await worker.until('Draining')
    service.letGo()
    await worker.ended
    const newer = site.startWith({ root: broken.root })
    await newer.until('TMPRL1100')
    expect((await run.describe()).status.name).toBe('RUNNING')
    await run.terminate()
  } finally {
    broken.remove()
  }
})
