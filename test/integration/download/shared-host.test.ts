/** A host that a match, an extraction and a queue of files ask at once, measured there. */
import { expect, it, vi } from 'vitest'
import { defaultPolicy, type DomainPolicy } from '../../../src/core/limiter/policy.ts'
import { answerByName, manifestAnswer } from '../../support/fake-reconciliation-service.ts'
import { countedItems } from '../../support/fake-source.ts'
import { createTestProject } from '../../support/match-project-rows.ts'
import { extract } from '../extract/extraction.ts'
import { openSourceSite } from '../extract/source-site.ts'
import { openQueue } from './queue-site.ts'

// A rate is kept to, on a busy machine too; what is asked takes its time.
vi.setConfig({ testTimeout: 400_000 })

const RATE = 10
const WINDOW_MS = 4_000
/** A process that stood still sends what has become due meanwhile at once: a second's worth. */
const LATE = RATE

const policies = new Map<string, Partial<DomainPolicy>>()
const site = openSourceSite(
  {},
  { policyFor: (domain) => ({ ...defaultPolicy(domain), ...policies.get(domain) }) },
)

it('case 30: a match, an extraction and a queue share the rate of one host, and none of them starves', async () => {
  const { service } = site.source
  policies.set(service.domain, { strategy: 'fixed', maxRps: RATE, initialRps: RATE })
  site.source.api.items = countedItems(400)
  site.source.api.instead = ({ pathname }, request) => {
    if (pathname.startsWith('/list/')) return undefined
    if (pathname.startsWith('/file/')) return { json: { file: pathname } }
    return request.queries === null
      ? manifestAnswer(request, { batchSize: 1 })
      : answerByName(request)
  }
  const records = Array.from({ length: 40 }, (_, n) => ({ id: `r${n}`, name: `Town ${n}` }))
  const mapping = { name: 'name', variants: [], properties: [] }
  const project = await createTestProject(site.server.bench.db, service.url, records, { mapping })
  const queue = await openQueue(site.server)
  const { origin } = new URL(service.url)
  await queue.add(...records.map((_, n) => `${origin}/file/${n}`))
  const [match, { report }] = await Promise.all([
    site.server.bench.start(project.id),
    extract(site.server, {
      profile: site.source.profile('offset'),
      config: { batchSize: 10, workers: 4 },
    }),
    queue.drain(),
  ])
  await match.result()
  expect(report).toMatchObject({ items: 400, errors: 0 })
  // To wait for a turn costs no attempt.
  expect((await queue.jobs()).map(({ state, attempts }) => [state, attempts])).toEqual(
    records.map(() => ['done', 0]),
  )

  const times = service.requests.map(({ atMs }) => atMs)
  const fullest = Math.max(
    ...times.map((from) => times.filter((at) => at >= from && at < from + WINDOW_MS).length),
  )
  expect(fullest).toBeLessThanOrEqual((RATE * WINDOW_MS) / 1000 + LATE)
  const jobs = ['/reconcile', '/list/offset', '/file/']
  const order = service.requests.map(
    ({ path }) => jobs.find((start) => path.startsWith(start)) ?? '',
  )
  for (const job of jobs) {
    // Each has a turn before any of the others is through.
    const others = jobs.filter((other) => other !== job)
    const firstEnd = Math.min(...others.map((other) => order.lastIndexOf(other)))
    expect(order.indexOf(job)).toBeLessThan(firstEnd)
  }
})
