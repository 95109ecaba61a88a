/** `/metrics` of a real worker process, as Prometheus reads it. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startDispatcher } from '../../../src/client/download/opened-queue.ts'
import { anyFreePort } from '../../../src/client/stack/free-port.ts'
import { newJob } from '../../../src/core/download/artifact-id.ts'
import { defaultQueueOptions } from '../../../src/core/download/queue-options.ts'
import { ensureQueue } from '../../../src/db/download-queues.repo.ts'
import { enqueueJobs } from '../../../src/db/job-intake.repo.ts'
import { type FileOrigin, startFileOrigin } from '../../support/file-origin.ts'
import { openWorkerSite, type WorkerSite } from '../../support/worker-site.ts'

// Processes that start on a busy machine take their time.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 200_000 })

let site: WorkerSite
let origin: FileOrigin
beforeAll(async () => {
  site = await openWorkerSite()
  origin = await startFileOrigin()
})
afterAll(async () => {
  await site.close()
  await origin.close()
})

it('tells downloads under the names of the source document, and no address or host', async () => {
  const metrics = `127.0.0.1:${await anyFreePort()}`
  const worker = site.startWith({ args: ['--grace', '0'], env: { RECORD_LINKER_METRICS: metrics } })
  await worker.until('The worker is ready')
  const options = { ...defaultQueueOptions, allowedAddresses: ['127.0.0.0/8'], reserveBytes: 0 }
  await ensureQueue(site.db, 'measured', options)
  origin.serve('/secret-name', { body: 'twelve bytes' })
  const jobs = ['/secret-name', '/missing'].map((path) =>
    newJob({ artifact: { urls: [origin.url(path)] } }, options),
  )
  await enqueueJobs(
    site.db,
    'measured',
    jobs.flatMap((job) => job ?? []),
  )
  const handle = await startDispatcher(site.client, 'measured', { drain: true })
  await handle.result()
  const text = await (await fetch(`http://${metrics}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line.startsWith('contentdownload_'))
  const of = (name: string) => lines.filter((line) => line.startsWith(`contentdownload_${name}`))
  expect(of('attempts_total').toSorted()).toEqual([
    'contentdownload_attempts_total{reason="none",resolver="direct",status="200",verb="http-200"} 1',
    'contentdownload_attempts_total{reason="not-found",resolver="direct",status="404",verb="http-get"} 1',
  ])
  expect(of('bytes_total')).toContain(
    'contentdownload_bytes_total{kind="stored",resolver="direct"} 12',
  )
  expect(of('jobs_completed_total')).toEqual(['contentdownload_jobs_completed_total 2'])
  expect(of('outcomes_total').toSorted()).toEqual([
    'contentdownload_outcomes_total{outcome="done",reason="none",resolver="direct"} 1',
    'contentdownload_outcomes_total{outcome="error",reason="not-found",resolver="direct"} 1',
  ])
  expect(of('http_latency_ms_count')).toEqual([
    'contentdownload_http_latency_ms_count{resolver="direct",verb="GET"} 2',
  ])
  expect(lines.filter((line) => /secret-name|127\.0\.0\.1/.test(line))).toEqual([])
  // What Temporal's own part of a worker has to tell is at the same address.
  expect(text).toContain('temporal_worker_task_slots_available')

  const second = site.startWith({ env: { RECORD_LINKER_METRICS: metrics } })
  await second.ended
  expect(second.stderr()).toContain(`cannot answer /metrics on ${metrics}`)
})

it('tells how much waits in queues', async () => {
  const metrics = `127.0.0.1:${await anyFreePort()}`
  await ensureQueue(site.db, 'waiting', defaultQueueOptions)
  const job = newJob({ artifact: { urls: [origin.url('/x')] } }, defaultQueueOptions)
  await enqueueJobs(site.db, 'waiting', job === undefined ? [] : [job])
  const worker = site.startWith({ args: ['--grace', '0', '--metrics', metrics] })
  await worker.until('The worker is ready')
  await vi.waitFor(
    async () =>
      expect(await (await fetch(`http://${metrics}/metrics`)).text()).toContain(
        'contentdownload_queue_depth{queue="waiting",state="queued"} 1',
      ),
    { timeout: 60_000, interval: 200 },
  )
})
