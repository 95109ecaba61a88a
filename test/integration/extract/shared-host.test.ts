/** What a host that an extraction asks gets to see, measured there: all at once it refuses, and others ask it too. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { defaultPolicy, type DomainPolicy } from '../../../src/core/limiter/policy.ts'
import { limiterId } from '../../../src/core/workflow-ids.ts'
import { snapshotQuery } from '../../../src/workflows/messages.ts'
import { answerByName, manifestAnswer } from '../../support/fake-reconciliation-service.ts'
import { countedItems } from '../../support/fake-source.ts'
import { createTestProject } from '../../support/match-project-rows.ts'
import { begin, extract, reportOf, wantedRun } from './extraction.ts'
import { openSourceSite } from './source-site.ts'

// A rate is kept to, on a busy machine too; what is asked takes its time.
vi.setConfig({ testTimeout: 400_000 })

const RATE = 10
const WORKERS = 8
const WINDOW_MS = 4_000
/** Answers that take so long let the limiter have eight requests on their way at this rate, and at two thirds of it. */
const ANSWER_MS = 600
/** A process that stood still sends what has become due meanwhile at once: a second's worth. */
const LATE = RATE

const policies = new Map<string, Partial<DomainPolicy>>()
const site = openSourceSite(
  {},
  {
    policyFor: (domain) => ({ ...defaultPolicy(domain), ...policies.get(domain) }),
  },
)

/** Requests in the fullest window. */
function mostAtOnce(): number {
  const times = site.source.service.requests.map(({ atMs }) => atMs)
  return Math.max(
    ...times.map((from) => times.filter((at) => at >= from && at < from + WINDOW_MS).length),
  )
}

async function limiterMode() {
  const limiter = site.server.bench.client.workflow.getHandle(limiterId(site.source.service.domain))
  const { mode, fillRate } = await limiter.query(snapshotQuery)
  return { mode, fillRate }
}

it('case 29: eight workers that are refused at once slow down once, wait once, and recover', async () => {
  policies.set(site.source.service.domain, {
    strategy: 'multiplier',
    maxRps: RATE,
    initialRps: RATE,
  })
  site.source.api.items = countedItems(520)
  let held = 0
  let letGo = () => undefined as void
  const all = new Promise<void>((resolve) => {
    letGo = resolve
  })
  site.source.api.instead = async ({ pathname }) => {
    const isRefused = pathname.startsWith('/list/') && site.source.listRequests().length > WORKERS
    // As many are on their way as have come.
    if (!isRefused || held >= WORKERS) {
      await sleep(ANSWER_MS)
      return undefined
    }
    held += 1
    if (held === WORKERS) letGo()
    await all
    return { status: 429, headers: { 'retry-after': '2' }, json: {} }
  }
  const { runId, handle } = await begin(
    site.server,
    wantedRun({
      profile: site.source.profile('offset'),
      config: { batchSize: 10, workers: WORKERS },
    }),
  )
  await all
  while ((await limiterMode()).mode === 'normal') await sleep(20)
  // A second step would be a deep one.
  expect(['backed_off', 'recovering']).toContain((await limiterMode()).mode)
  await handle.result()
  const { report } = await reportOf(site.server, runId)
  expect(report).toMatchObject({ status: 'completed', items: 520, errors: 0 })

  const refused = site.source.service.requests.slice(WORKERS, 2 * WORKERS)
  expect(refused.filter(({ answered }) => answered)).toHaveLength(WORKERS)
  const lastRefusedMs = Math.max(...refused.map(({ atMs }) => atMs))
  const nextMs = site.source.service.requests[2 * WORKERS]?.atMs ?? 0
  expect(nextMs - lastRefusedMs).toBeGreaterThanOrEqual(1_900)
  expect(mostAtOnce()).toBeLessThanOrEqual((RATE * WINDOW_MS) / 1000 + LATE)
  // Four steps back lead to normal; there are as many good answers, and some more.
  while ((await limiterMode()).mode !== 'normal') await sleep(50)
  expect(await limiterMode()).toMatchObject({ fillRate: RATE })
})

it('case 30: a match and two extractions share the rate of one host, and none of them starves', async () => {
  policies.set(site.source.service.domain, { strategy: 'fixed', maxRps: RATE, initialRps: RATE })
  site.source.api.items = countedItems(400)
  site.source.api.instead = ({ pathname }, request) => {
    if (pathname.startsWith('/list/')) return undefined
    return request.queries === null
      ? manifestAnswer(request, { batchSize: 1 })
      : answerByName(request)
  }
  const records = Array.from({ length: 40 }, (_, n) => ({ id: `r${n}`, name: `Town ${n}` }))
  const mapping = { name: 'name', variants: [], properties: [] }
  const { db } = site.server.bench
  const project = await createTestProject(db, site.source.service.url, records, { mapping })
  const config = { batchSize: 10, workers: 4 }
  const [match, ...extractions] = await Promise.all([
    site.server.bench.start(project.id),
    extract(site.server, { profile: site.source.profile('offset'), config }),
    extract(site.server, { profile: site.source.profile('page'), config }),
  ])
  await match.result()
  for (const { report } of extractions) expect(report).toMatchObject({ items: 400, errors: 0 })

  expect(mostAtOnce()).toBeLessThanOrEqual((RATE * WINDOW_MS) / 1000 + LATE)
  const jobs = ['/reconcile', '/list/offset', '/list/page']
  const jobOf = ({ path }: { readonly path: string }) =>
    jobs.find((start) => path.startsWith(start)) ?? ''
  const order = site.source.service.requests.map(jobOf)
  const from = Math.max(...jobs.map((job) => order.indexOf(job)))
  const to = Math.min(...jobs.map((job) => order.lastIndexOf(job)))
  const together = order.slice(from, to + 1)
  // A third each would be even.
  for (const job of jobs) {
    const share = together.filter((one) => one === job).length / together.length
    expect([job, share > 1 / 9]).toEqual([job, true])
  }
})
