/** `/healthz` and `/readyz` of a real worker process, whose ways to Postgres and Temporal are cut and mended. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { countProject } from '../../../src/db/run-progress.repo.ts'
import { type BrandService, startBrandService, timesAsked } from '../../support/brands.ts'
import { createTestProject } from '../../support/match-project-rows.ts'
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts'
import { openWorkerSite, type WorkerSite } from '../../support/worker-site.ts'
import type { RunningCommand } from '../../support/running-command.ts'

// A process that starts on a busy machine takes its time.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 })

const LIMIT = { timeout: 60_000, interval: 100 }
const PARTS = ['limiter_queue', 'postgres', 'temporal', 'work_queue']

let site: WorkerSite
let service: BrandService
let postgres: TcpProxy
let temporal: TcpProxy
let worker: RunningCommand
let url: string
beforeAll(async () => {
  site = await openWorkerSite()
  service = await startBrandService({ batchSize: 2 })
  const database = new URL(site.databaseUrl)
  postgres = await startTcpProxy(Number(database.port))
  database.port = String(postgres.port)
  temporal = await startTcpProxy(Number(site.temporalAddress.split(':')[1]))
  worker = site.startWith({
    args: ['--health-port', '0', '--grace', '100'],
    env: { DATABASE_URL: database.href, TEMPORAL_ADDRESS: `127.0.0.1:${temporal.port}` },
  })
  await worker.until('/readyz')
  url = /http:\/\/127\.0\.0\.1:\d+/.exec(worker.stderr())?.[0] ?? ''
})
afterAll(async () => {
  await service.close()
  await site.close()
  await postgres.close()
  await temporal.close()
})

interface Ready {
  readonly code: number
  readonly status: string
  readonly parts: Record<string, { ok: boolean; since: string; code?: string }>
}

async function ready(): Promise<Ready> {
  const response = await fetch(`${url}/readyz`)
  const body = (await response.json()) as Omit<Ready, 'code'>
  return { code: response.status, ...body }
}

async function untilStatus(status: string): Promise<Ready> {
  await vi.waitFor(async () => expect((await ready()).status).toBe(status), LIMIT)
  return ready()
}

it('is alive and starting first, then ready, and names each part', async () => {
  const alive = await fetch(`${url}/healthz`)
  expect([alive.status, await alive.json()]).toEqual([
    200,
    { status: 'alive', aliveMs: expect.any(Number) },
  ])
  const { code, parts } = await untilStatus('ready')
  expect(code).toBe(200)
  expect(Object.keys(parts).toSorted()).toEqual(PARTS)
  for (const { since } of Object.values(parts)) expect(Date.parse(since)).not.toBeNaN()
})

it('without Postgres it says so, lives, and a match waits and loses nothing', async () => {
  await untilStatus('ready')
  const records = Array.from({ length: 20 }, (_, n) => ({ id: `b${n}`, name: `Brand ${n}` }))
  const mapping = { name: 'name', variants: [], properties: [] }
  const address = service.ownAddress()
  const project = await createTestProject(site.db, address, records, { mapping })
  const run = await site.match(project.id, { entriesPerTask: 4 })
  await service.until(() => service.batchesOf(address).length >= 3)
  await postgres.cut()
  const { code, parts } = await untilStatus('unready')
  expect(code).toBe(503)
  expect(parts['postgres']).toMatchObject({ ok: false, code: expect.stringMatching(/^ECONN|^no_/) })
  expect(parts['temporal']?.ok).toBe(true)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  expect(JSON.stringify(parts)).not.toContain(new URL(site.databaseUrl).password)
  await postgres.mend()
  await untilStatus('ready')
  await run.result()
  expect(await countProject(site.db, project.id)).toMatchObject({ completed: 20, failed: 0 })
  // What was on its way when Postgres went away could not be stored, and is asked again: once.
  const times = timesAsked(service.batchesOf(address))
  expect(Math.max(...times.values())).toBeLessThanOrEqual(2)
})

it('without Temporal it says so, and is ready again when it is back', async () => {
  await untilStatus('ready')
  await temporal.cut()
  const { code, parts } = await untilStatus('unready')
  expect(code).toBe(503)
  expect(parts['temporal']).toMatchObject({ ok: false })
  expect(parts['postgres']?.ok).toBe(true)
  await temporal.mend()
  expect((await untilStatus('ready')).code).toBe(200)
})

it('is not ready any more from the moment it is told to end, and alive until it has', async () => {
  await untilStatus('ready')
  service.holdAfter(0)
  const records = [{ id: 'b0', name: 'Brand 0' }]
  const address = service.ownAddress()
  const project = await createTestProject(site.db, address, records)
  const run = await site.match(project.id)
  await service.until(() => service.batchesOf(address).length === 1)
  process.kill(worker.mark.pid, 'SIGTERM')
  expect((await untilStatus('draining')).code).toBe(503)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  service.letGo()
  expect((await worker.ended).code).toBe(0)
  await run.terminate()
})
