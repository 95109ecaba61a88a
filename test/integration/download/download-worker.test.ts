/** Workers that die while they fetch: real processes, ended without a word. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startDispatcher } from '../../../src/client/download/opened-queue.ts'
import { newJob } from '../../../src/core/download/artifact-id.ts'
import { blobPath } from '../../../src/core/download/blob-path.ts'
import { defaultQueueOptions } from '../../../src/core/download/queue-options.ts'
import { ensureQueue } from '../../../src/db/download-queues.repo.ts'
import { enqueueJobs } from '../../../src/db/job-intake.repo.ts'
import { type FileOrigin, startFileOrigin } from '../../support/file-origin.ts'
import { openWorkerSite, type WorkerSite } from '../../support/worker-site.ts'

// Half a minute without a heartbeat, and processes that start.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 200_000 })

let site: WorkerSite
let origin: FileOrigin
let store: string
beforeAll(async () => {
  site = await openWorkerSite()
  origin = await startFileOrigin()
  store = mkdtempSync(join(tmpdir(), 'record-linker-store-'))
})
afterAll(async () => {
  await site.close()
  await origin.close()
  rmSync(store, { recursive: true, force: true })
})

it('what a killed worker was fetching is fetched by another, whole, and nothing twice that was done', async () => {
  const options = {
    ...defaultQueueOptions,
    allowedAddresses: ['127.0.0.0/8'],
    store: pathToFileURL(store).href,
    reserveBytes: 0,
  }
  await ensureQueue(site.db, 'killed', options)
  const body = 'x'.repeat(5_000)
  const quick = Array.from({ length: 6 }, (_, index) => `/quick/${index}`)
  for (const path of quick) origin.serve(path, { body: path })
  // Never ends for the first who asks.
  origin.script('/slow', [{ body, stallAfter: 2_000 }, { body }])
  const jobs = [...quick, '/slow'].map((path, index) =>
    newJob({ artifact: { urls: [origin.url(path)] }, priority: -index }, options),
  )
  await enqueueJobs(
    site.db,
    'killed',
    jobs.flatMap((job) => job ?? []),
  )

  const first = site.start('--grace', '0')
  await first.until('The worker is ready')
  const handle = await startDispatcher(site.client, 'killed', { drain: true })
  while (!(await isHalf())) await sleep(100)
  process.kill(first.mark.pid, 'SIGKILL')
  await first.ended
  const second = site.start('--grace', '0')
  await second.until('The worker is ready')
  await handle.result()

  const rows = await site.db.selectFrom('jobs').where('queue', '=', 'killed').selectAll().execute()
  expect(rows.map(({ state }) => state)).toEqual(rows.map(() => 'done'))
  for (const { sha256, bytes } of rows) {
    const content = readFileSync(join(store, blobPath(sha256 ?? '')))
    expect(content.length).toBe(bytes)
    expect(createHash('sha256').update(content).digest('hex')).toBe(sha256)
  }
  // What was lost counts as an attempt; what was done was not asked again.
  expect(rows.find(({ artifact_id: id }) => id.endsWith('/slow'))?.attempts).toBe(1)
  expect(origin.requests('/slow')).toHaveLength(2)
  for (const path of quick) expect(origin.requests(path)).toHaveLength(1)
  // Only the part of the lost attempt is left, for gc.
  expect(readdirSync(join(store, 'tmp')).length).toBeLessThanOrEqual(1)
})

async function isHalf(): Promise<boolean> {
  const done = await site.db
    .selectFrom('jobs')
    .where('queue', '=', 'killed')
    .where('state', '=', 'done')
    .select('id')
    .execute()
  return done.length === 6 && origin.requests('/slow').length === 1
}
