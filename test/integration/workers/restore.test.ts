/** The order of docs/operations.md: PostgreSQL as it was during a run, beside a Temporal that knows nothing of it. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { reconciledRun } from '../../../src/client/match/reconcile-run.ts'
import { startMatch } from '../../../src/client/match/start-match.ts'
import { defaultRunOptions } from '../../../src/core/run.ts'
import type { Db } from '../../../src/db/connect.ts'
import { type BrandService, startBrandService } from '../../support/brands.ts'
import { copyDatabase } from '../../support/copy-database.ts'
import { createTestProject } from '../../support/match-project-rows.ts'
import { openWorkerSite, type WorkerSite } from '../../support/worker-site.ts'

// Processes that start on a busy machine take their time.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 })

const RECORDS = 60
/** Of the twelve that the service gets in all. */
const ANSWERED = 4
const records = Array.from({ length: RECORDS }, (_, n) => ({ id: `b${n}`, name: `Brand ${n}` }))
const mapping = { name: 'name', variants: [], properties: [] }

let service: BrandService
let site: WorkerSite
let restored: WorkerSite
beforeAll(async () => {
  service = await startBrandService()
  site = await openWorkerSite()
  restored = await openWorkerSite()
})
afterAll(async () => {
  service.letGo()
  await site.close()
  await restored.close()
  await service.close()
})

it('a start after the restore ends with the right table, and asks only what was not answered then', async () => {
  const address = service.ownAddress()
  const { id } = await createTestProject(site.db, address, records, { mapping })
  const worker = site.start('--grace', '0')
  await worker.until('The worker is ready')
  service.holdAfter(ANSWERED)
  const run = await site.match(id)
  await vi.waitFor(async () => expect(await answeredOf(site.db)).toBeGreaterThan(0), {
    timeout: 200_000,
    interval: 100,
  })
  await copyDatabase(site.databaseUrl, restored.databaseUrl)
  const kept = await answeredOf(restored.db)
  service.letGo()
  await run.result()
  const right = await tableOf(site.db, id)
  process.kill(worker.mark.pid, 'SIGKILL')
  await worker.ended

  const asked = service.batchesOf(address).length
  const next = restored.start('--grace', '0')
  await next.until('The worker is ready')
  const lost = await reconciledRun(restored.client, restored.db, id)
  expect(lost).toMatchObject({ status: 'terminated', number: 1 })
  const { handle } = await startMatch(restored.client, {
    projectId: id,
    projectName: 'restored',
    settingsRevision: 1,
    options: defaultRunOptions,
  })
  await handle.result()
  expect(await tableOf(restored.db, id)).toEqual(right)
  const again = service
    .batchesOf(address)
    .slice(asked)
    .reduce((sum, { queries }) => sum + Object.keys(queries ?? {}).length, 0)
  expect(again).toBe(RECORDS - kept)
})

async function answeredOf(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('lookup')
    .where('status', '=', 'answered')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

function tableOf(db: Db, projectId: number) {
  return db
    .selectFrom('result')
    .where('project_id', '=', projectId)
    .select(['external_id', 'match_status', 'match_qid', 'rule', 'score'])
    .orderBy('position')
    .execute()
}
