import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { countRequests } from '../../../src/db/run-progress.repo.ts'
import { latestRun } from '../../../src/db/runs.repo.ts'
import type { FakeHandler, FakeRequest } from '../../support/fake-reconciliation-service.ts'
import { htmlAnswer } from '../../support/fake-reconciliation-service.ts'
import { apiError, type FakeEntity, fakeWikidata } from '../../support/fake-wikidata.ts'
import { human, person, personRow as row, unitedKingdom } from '../../support/wikidata-people.ts'
import {
  actionParams,
  startWikidataServer,
  type WikidataServer,
} from '../../support/wikidata-server.ts'

const TOKEN = 'canary-token-0123456789'
const LAG = apiError('maxlag', {
  headers: { 'retry-after': '1', 'x-database-lag': '5' },
  error: { lag: 5.32, type: 'wikibase-queryservice' },
})

let server: WikidataServer
beforeAll(async () => {
  server = await startWikidataServer({ wikidataToken: TOKEN, random: () => 0 })
})
afterAll(() => server.close())
beforeEach(() => void server.asked())

const world = (...items: readonly FakeEntity[]): FakeHandler =>
  fakeWikidata([human, unitedKingdom, ...items])
const isItems = (request: FakeRequest) => actionParams(request).get('action') === 'wbgetentities'

async function requestsOf(projectId: number) {
  const run = await latestRun(server.bench.db, projectId)
  return countRequests(server.bench.db, run?.id ?? 0)
}

describe('a server that wants to be left alone', () => {
  it('case 23: lag in a 200 is waited for, however often, and costs no record an attempt', async () => {
    server.service.respond(world(person('Q201', 'Lara Lag', '1951-01-01')))
    server.service.respondOnce(LAG, LAG, LAG)
    const project = await server.project([row('r0', 'Lara Lag', { born: '1951-01-01' })])
    await server.run(project)
    expect(await server.results(project)).toEqual(['r0 matched Q201'])
    expect((await requestsOf(project.id)).throttled).toBe(3)
    expect(await attemptsOfLookups()).toBe(0)
  })

  it('case 24: a 429 of HTML is a wait, for items as for searches', async () => {
    const answer = world(person('Q211', 'Tom Throttled', '1952-01-01'))
    const slow = { ...htmlAnswer(429, 'Too many requests'), headers: { 'retry-after': '1' } }
    let refusals = 2
    server.service.respond((request) => {
      if (isItems(request) && refusals > 0) {
        refusals -= 1
        return slow
      }
      return answer(request)
    })
    const project = await server.project([row('r0', 'Tom Throttled', { born: '1952-01-01' })])
    await server.run(project)
    expect(await server.results(project)).toEqual(['r0 matched Q211'])
    expect((await requestsOf(project.id)).throttled).toBe(2)
    expect(server.asked().filter((asked) => asked.startsWith('label'))).toHaveLength(1)
  })
})

describe('items that cannot be fetched', () => {
  it('are asked for again, and their search is not', async () => {
    const answer = world(person('Q221', 'Fay Failing', '1953-01-01'))
    let failures = 1
    server.service.respond((request) => {
      if (isItems(request) && failures > 0) {
        failures -= 1
        return { json: { entities: {} } }
      }
      return answer(request)
    })
    const project = await server.project([row('r0', 'Fay Failing', { born: '1953-01-01' })])
    await server.run(project)
    expect(await server.results(project)).toEqual(['r0 matched Q221'])
    expect(server.asked().filter((asked) => !asked.startsWith('items'))).toEqual([
      'label en Fay Failing',
    ])
  })

  it('make their records FAILED, never "no candidate"; the next run asks for them alone', async () => {
    const answer = world(person('Q231', 'Gus Gone', '1954-01-01'))
    server.service.respond((request) =>
      isItems(request) ? { json: { entities: {} } } : answer(request),
    )
    const project = await server.project([row('r0', 'Gus Gone', { born: '1954-01-01' })])
    const failing = await server.bench.start(project.id, { options: { maxAttempts: 1 } })
    await failing.result()
    expect(await server.results(project)).toEqual(['r0 failed malformed_answer'])
    server.asked()
    server.service.respond(answer)
    const handle = await server.bench.start(project.id, { options: { retryFailed: true } })
    await handle.result()
    expect(await server.results(project)).toEqual(['r0 matched Q231'])
    expect(server.asked()).toEqual(['items Q231'])
  })
})

it('a token that is refused pauses the run and fails nothing', async () => {
  server.service.respond(apiError('mwoauth-invalid-authorization'))
  const project = await server.project([row('r0', 'Pia Paused')])
  const handle = await server.bench.start(project.id)
  const { db } = server.bench
  await expect
    .poll(async () => (await latestRun(db, project.id))?.pausedReason, { timeout: 30_000 })
    .toContain('mwoauth-invalid-authorization')
  expect(await server.results(project)).toEqual(['r0 queued'])
  await handle.cancel()
  await handle.result().catch(() => undefined)
})

it('neither the token nor what is in cells is kept where it does not belong', async () => {
  const canary = 'Canary Zanzibar'
  const refused = apiError('invalid-search', { error: { info: `bad: ${canary}` } })
  const project = await server.project([
    row('r0', canary, { born: '1955-01-01' }),
    row('r1', `${canary} the Second`),
  ])
  const answer = world(person('Q251', canary, '1955-01-01'))
  server.service.respond((request) =>
    actionParams(request).get('search')?.endsWith('Second') === true ? refused : answer(request),
  )
  const before = server.service.requests.length
  const handle = await server.bench.start(project.id)
  await handle.result()
  expect(await server.results(project)).toEqual(['r0 matched Q251', 'r1 failed invalid-search'])
  const requests = server.service.requests.slice(before)
  expect(requests.map(({ headers }) => headers.authorization)).toEqual(
    requests.map(() => `Bearer ${TOKEN}`),
  )
  const { db, client } = server.bench
  const kept = JSON.stringify({
    attempts: await db.selectFrom('attempt').selectAll().execute(),
    items: await db.selectFrom('item').selectAll().execute(),
    lookups: await db.selectFrom('lookup').selectAll().execute(),
  })
  expect(kept).not.toContain(TOKEN)
  const attempts = await db.selectFrom('attempt').select(['message', 'code']).execute()
  expect(JSON.stringify(attempts)).not.toContain('Canary')
  const failures = await db.selectFrom('subject').select('error_message').execute()
  expect(JSON.stringify(failures)).not.toContain('Canary')
  const history = JSON.stringify(await client.workflow.getHandle(handle.workflowId).fetchHistory())
  expect(history).not.toContain('Canary')
  expect(history).not.toContain(TOKEN)
})

/** Failed ones, counted by records' questions. */
async function attemptsOfLookups(): Promise<number> {
  const { db } = server.bench
  const rows = await db.selectFrom('lookup').select('attempts').execute()
  return rows.reduce((sum, { attempts }) => sum + attempts, 0)
}
