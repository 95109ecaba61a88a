/** What a host that an extraction asks gets to see, measured there: all at once it refuses, and others ask it too. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { defaultPolicy, type DomainPolicy } from '../../../src/core/limiter/policy.ts'
import { limiterId } from '../../../src/core/workflow-ids.ts'
import { snapshotQuery } from '../../../src/workflows/messages.ts'
import { answerByName, manifestAnswer } from '../../support/fake-reconciliation-service.ts'
import { countedItems, type FakeSource, startFakeSource } from '../../support/fake-source.ts'
import { createTestProject } from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'
import { begin, extract, reportOf, wantedRun } from './extraction.ts'

// A rate is kept to, on a busy machine too; what is asked takes its time.
vi.setConfig({ testTimeout: 400_000 })

const RATE = 10
const WORKERS = 8
const WINDOW_MS = 4_000
/** A process that stood still sends what has become due meanwhile at once: a second's worth. */
const LATE = RATE

const policies = new Map<string, Partial<DomainPolicy>>()
let server: MatchServer
let source: FakeSource
beforeAll(async () => {
  server = await startMatchServer({
    random: () => 0,
    policyFor: (domain) => ({ ...defaultPolicy(domain), ...policies.get(domain) }),
  })
})
afterAll(() => server.close())
beforeEach(async () => {
  source = await startFakeSource()
  return () => source.close()
})

/** Requests in the fullest window. */
function mostAtOnce(): number {
  const times = source.service.requests.map(({ atMs }) => atMs)
  return Math.max(
    ...times.map((from) => times.filter((at) => at >= from && at < from + WINDOW_MS).length),
  )
}

async function limiterMode() {
  const limiter = server.bench.client.workflow.getHandle(limiterId(source.service.domain))
  const { mode, fillRate } = await limiter.query(snapshotQuery)
  return { mode, fillRate }
}

it('case 29: eight workers that are refused at once slow down once, wait once, and recover', async () => {
  policies.set(source.service.domain, { strategy: 'multiplier', maxRps: RATE, initialRps: RATE })
  source.api.items = countedItems(520)
  let held = 0
  let letGo = () => undefined as void
  const all = new Promise<void>((resolve) => {
    letGo = resolve
  })
  source.api.instead = async ({ pathname }) => {
    // As many are on their way as have come.
    if (!pathname.startsWith('/list/') || source.listRequests().length <= WORKERS) return undefined
    if (held >= WORKERS) return undefined
    held += 1
    if (held === WORKERS) letGo()
    await all
    return { status: 429, headers: { 'retry-after': '2' }, json: {} }
  }
  const { runId, handle } = await begin(
    server,
    wantedRun({ profile: source.profile('offset'), config: { batchSize: 10, workers: WORKERS } }),
  )
  await all
  while ((await limiterMode()).mode === 'normal') await sleep(20)
  // A second step would be a deep one.
  expect(['backed_off', 'recovering']).toContain((await limiterMode()).mode)
  await handle.result()
  const { report } = await reportOf(server, runId)
  expect(report).toMatchObject({ status: 'completed', items: 520, errors: 0 })

  const refused = source.service.requests.slice(WORKERS, 2 * WORKERS)
  const lastRefusedMs = Math.max(...refused.map(({ atMs }) => atMs))
  const nextMs = source.service.requests[2 * WORKERS]?.atMs ?? 0
  expect(nextMs - lastRefusedMs).toBeGreaterThanOrEqual(1_900)
  expect(mostAtOnce()).toBeLessThanOrEqual((RATE * WINDOW_MS) / 1000 + LATE)
  // Four steps back lead to normal; there are as many good answers, and some more.
  while ((await limiterMode()).mode !== 'normal') await sleep(50)
  expect(await limiterMode()).toMatchObject({ fillRate: RATE })
})

it('case 30: a match and two extractions share the rate of one host, and none of them starves', async () => {
  policies.set(source.service.domain, { strategy: 'fixed', maxRps: RATE, initialRps: RATE })
  source.api.items = countedItems(400)
  source.api.instead = ({ pathname }, request) => {
    if (pathname.startsWith('/list/')) return undefined
    return request.queries === null
      ? manifestAnswer(request, { batchSize: 1 })
      : answerByName(request)
  }
  const records = Array.from({ length: 40 }, (_, n) => ({ id: `r${n}`, name: `Town ${n}` }))
  const mapping = { name: 'name', variants: [], properties: [] }
  const { db } = server.bench
  const project = await createTestProject(db, source.service.url, records, { mapping })
  const config = { batchSize: 10, workers: 4 }
  const [match, ...extractions] = await Promise.all([
    server.bench.start(project.id),
    extract(server, { profile: source.profile('offset'), config }),
    extract(server, { profile: source.profile('page'), config }),
  ])
  await match.result()
  for (const { report } of extractions) expect(report).toMatchObject({ items: 400, errors: 0 })

  expect(mostAtOnce()).toBeLessThanOrEqual((RATE * WINDOW_MS) / 1000 + LATE)
  const jobs = ['/reconcile', '/list/offset', '/list/page']
  const jobOf = ({ path }: { readonly path: string }) =>
    jobs.find((start) => path.startsWith(start)) ?? ''
  const order = source.service.requests.map(jobOf)
  const from = Math.max(...jobs.map((job) => order.indexOf(job)))
  const to = Math.min(...jobs.map((job) => order.lastIndexOf(job)))
  const together = order.slice(from, to + 1)
  // A third each would be even.
  for (const job of jobs) {
    const share = together.filter((one) => one === job).length / together.length
    expect([job, share > 1 / 9]).toEqual([job, true])
  }
})
