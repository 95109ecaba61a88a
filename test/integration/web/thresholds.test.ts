import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { growProject } from '../../../src/client/match/growing-project.ts'
import { knownProject } from '../../../src/client/known-project.ts'
import { answerEach, manifestAnswer } from '../../support/fake-reconciliation-service.ts'
import { createTestProject } from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'
import { type TestWeb, testWeb } from '../../support/web-app.ts'

let server: MatchServer
let web: TestWeb
/** For tests that change nothing of it. */
let shared: number
beforeAll(async () => {
  server = await startMatchServer()
  const { bench } = server
  web = testWeb(bench.db, { client: bench.client, taskQueue: bench.taskQueue })
  server.service.respond((request) =>
    request.queries === null
      ? manifestAnswer(request)
      : answerEach(request, ({ query = '' }) => [
          { id: `Q${query.replace(/\D/g, '')}`, name: query, score: 90, match: false, type: [] },
        ]),
  )
  shared = await decided()
})
afterAll(() => server.close())

/** Fifteen records, decided: each has one candidate of its own name. */
async function decided(): Promise<number> {
  const { id } = await createTestProject(
    server.bench.db,
    server.ownAddress(),
    Array.from({ length: 15 }, (_, at) => ({ id: `r${at}`, name: `Name ${at + 1}` })),
    {
      mapping: { name: 'name', variants: [], properties: [] },
      thresholds: { match: 100, review: 35, lead: 10 },
    },
  )
  await (await server.bench.start(id)).result()
  return id
}
const details = (id: number) => web.json<{ revision: number; records: unknown }>(`/projects/${id}`)
const untilRecords = (id: number, records: Readonly<Record<string, number>>) =>
  vi.waitFor(async () => expect((await details(id)).records).toMatchObject(records), {
    timeout: 90_000,
    interval: 200,
  })
/** Settings are not changed while a run is open. */
const untilOver = (id: number) =>
  vi.waitFor(
    async () =>
      expect((await web.json<{ runs: unknown }>(`/projects/${id}/runs`)).runs).toMatchObject([
        { status: 'completed' },
        { status: 'completed' },
      ]),
    { timeout: 90_000, interval: 200 },
  )
const mapping = async (id: number) =>
  (await web.json<{ mapping: { thresholds: unknown } }>(`/projects/${id}`)).mapping.thresholds

interface Preview {
  readonly examples: readonly unknown[]
  readonly isGrowing: boolean
}
/** When all records are counted. */
const previewed = (id: number, query = '') =>
  vi.waitFor(
    async () => {
      const preview = await web.json<Preview>(`/projects/${id}/thresholds${query}`)
      expect(preview.isGrowing).toBe(false)
      return preview
    },
    { timeout: 30_000 },
  )

it('counts what would flip and shows ten, and writes nothing', async () => {
  const before = await details(shared)
  const preview = await previewed(shared, '?match=36')
  expect(preview).toMatchObject({
    before: { matched: 0, review: 15, noCandidate: 0 },
    after: { matched: 15, review: 0, noCandidate: 0 },
    flips: 15,
    lookedAt: 15,
    isPart: false,
  })
  expect(preview.examples).toHaveLength(10)
  expect(preview.examples[0]).toMatchObject({
    entry: 'r0',
    name: 'Name 1',
    before: { outcome: 'review', qid: 'Q1' },
    after: { outcome: 'matched', qid: 'Q1' },
  })
  expect(await previewed(shared)).toMatchObject({ flips: 0, examples: [] })
  expect(await details(shared)).toEqual(before)
})

it('counts no record any more that a person has judged since the last look', async () => {
  const id = await decided()
  const look = () => previewed(id, '?match=36')
  expect(await look()).toMatchObject({ before: { review: 15 }, flips: 15 })
  const judgment = { entry: 'r3', verdict: 'match', qid: 'Q4', by: 'Ann' }
  expect((await web.post(`/projects/${id}/judgments`, judgment)).status).toBe(201)
  // What was weighed in a moment may be as old as a few such moments.
  await vi.waitFor(async () =>
    expect(await look()).toMatchObject({ before: { review: 14 }, flips: 14 }),
  )
})

it('applies them as a settings revision, decides again without asking, and goes back', async () => {
  const own = await decided()
  const asked = server.service.requests.length
  const applied = await web.form(`/p/${own}/thresholds`, { match: '36', review: '35', lead: '10' })
  expect(applied.status).toBe(303)
  expect(applied.headers.get('Location')).toMatch(new RegExp(`^/p/${own}\\?starting=`))
  await untilRecords(own, { matched: 15, review: 0 })
  expect(await mapping(own)).toEqual({ match: 36, review: 35, lead: 10 })
  await untilOver(own)

  const back = await web.form(`/p/${own}/restore`, { revision: '1' })
  expect(back.status).toBe(303)
  await untilRecords(own, { matched: 0, review: 15 })
  expect([(await details(own)).revision, await mapping(own)]).toEqual([
    3,
    { match: 100, review: 35, lead: 10 },
  ])
  expect(server.service.requests.length).toBe(asked)
})

it('waits for the end of a run that has said already that it is over', async () => {
  const own = await decided()
  const { workflow } = server.bench.client
  const handleOf = workflow.getHandle.bind(workflow)
  let looks = 0
  const spy = vi.spyOn(workflow, 'getHandle').mockImplementation((...asked) => {
    const handle = handleOf(...asked)
    const describe = handle.describe.bind(handle)
    handle.describe = async () => {
      looks += 1
      const told = await describe()
      return looks > 2 ? told : { ...told, status: { ...told.status, name: 'RUNNING' } }
    }
    return handle
  })
  try {
    const applied = await web.form(`/p/${own}/thresholds`, {
      match: '36',
      review: '35',
      lead: '10',
    })
    expect([applied.status, looks]).toEqual([303, 3])
  } finally {
    spy.mockRestore()
  }
  await untilRecords(own, { matched: 15, review: 0 })
})

it('keeps what was entered when it cannot be applied', async () => {
  const refused = await web.form(`/p/${shared}/thresholds`, {
    match: '40',
    review: '60',
    lead: '7',
  })
  expect(refused.status).toBe(422)
  const page = await refused.text()
  expect(page).toContain('Review begins at 60, which is above a match at 40')
  expect(page).toMatch(/name="lead"[^>]*value="7"/)
  expect((await details(shared)).revision).toBe(1)
  const unknown = await web.post(`/projects/${shared}/revisions/9/restore`)
  expect([unknown.status, await unknown.json()]).toMatchObject([404, { code: 'unknown_revision' }])
})

it('tells how far it has counted, and counts no more than it may', async () => {
  const { db } = server.bench
  const project = await knownProject(db, shared)
  const growing = growProject(db, project, 10)
  expect(growing.soFar()).toMatchObject({ entries: [], isPart: true, isGrowing: true })
  await growing.ended
  expect(growing.soFar()).toMatchObject({ isPart: true, isGrowing: false })
  expect(growing.soFar().entries).toHaveLength(10)

  const stopped = growProject(db, project)
  stopped.stop()
  await stopped.ended
  expect(stopped.soFar()).toMatchObject({ isPart: true, isGrowing: false })
})

it('shows the same on a page, with each record by its name', async () => {
  await previewed(shared)
  const answer = await web.ask(`/p/${shared}/thresholds?match=36`, {
    headers: { Accept: 'text/html' },
  })
  const page = await answer.text()
  expect(page).toContain('15 records would change')
  expect(page).toContain('Name 1<')
  const part = await (await web.ask(`/p/${shared}/thresholds?match=36&part=preview`)).text()
  expect(part).toContain('15 records would change')
  expect(part).not.toContain('<html')
})
