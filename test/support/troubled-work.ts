/** Work that goes wrong once and then well: a match, an extraction, downloads. */
import type { BrandService } from './brands.ts'
import { startDispatcher } from '../../src/client/download/opened-queue.ts'
import { startExtraction } from '../../src/client/extract/start-extraction.ts'
import { newJob } from '../../src/core/download/artifact-id.ts'
import { defaultQueueOptions } from '../../src/core/download/queue-options.ts'
import { checkConfig } from '../../src/core/extract/parallel-config.ts'
import { ensureQueue } from '../../src/db/download-queues.repo.ts'
import { enqueueJobs } from '../../src/db/job-intake.repo.ts'
import type { FakeSource } from './fake-source.ts'
import type { FileOrigin } from './file-origin.ts'
import { createTestProject } from './match-project-rows.ts'
import type { WorkerSite } from './worker-site.ts'

/** Its first request is answered by 500. */
export async function matchSome(site: WorkerSite, service: BrandService): Promise<void> {
  let refused = false
  service.disturb(() => {
    if (refused) return undefined
    refused = true
    return { status: 500 }
  })
  const records = Array.from({ length: 20 }, (_, n) => ({ id: `b${n}`, name: `Brand ${n}` }))
  const { id } = await createTestProject(site.db, service.ownAddress(), records, {
    mapping: { name: 'name', variants: [], properties: [] },
  })
  await (await site.match(id)).result()
}

/** Its first request is answered by 500. */
export async function extractSome(site: WorkerSite, source: FakeSource): Promise<void> {
  let refused = false
  source.api.instead = () => {
    if (refused) return undefined
    refused = true
    return { status: 500 }
  }
  const { handle } = await startExtraction(site.client, site.db, {
    profile: source.profile('offset'),
    dataset: 'items',
    types: ['items'],
    options: {
      config: checkConfig({ batchSize: 10 }).config,
      maxAttempts: 3,
      mostAbsentPercent: 20,
      giveUpAfterMs: 24 * 60 * 60 * 1000,
      rereads: 0,
    },
  })
  await handle.result()
}

/** One that is whole, one that is there the second time, and one that is missing. */
export async function downloadSome(
  site: WorkerSite,
  origin: FileOrigin,
  queue: string,
): Promise<void> {
  origin.serve('/whole', { body: 'all of it' })
  origin.script('/repeated', [{ status: 503 }, { body: 'at the second time' }])
  const changes = { allowedAddresses: ['127.0.0.0/8'], reserveBytes: 0, backoffMs: [50] }
  const options = { ...defaultQueueOptions, ...changes }
  await ensureQueue(site.db, queue, options)
  const jobs = ['/whole?key=tok3n', '/repeated', '/missing'].flatMap((path) => {
    const job = newJob({ artifact: { urls: [origin.url(path)] } }, options)
    return job === undefined ? [] : [job]
  })
  await enqueueJobs(site.db, queue, jobs)
  await (await startDispatcher(site.client, queue, { drain: true })).result()
}
