import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { defaultPolicy } from '../../../src/core/limiter/policy.ts'
import {
  answerByName,
  answerEach,
  type FakeRequest,
  manifestAnswer,
} from '../../support/fake-reconciliation-service.ts'
import { createTestProject } from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'
import { type TestWeb, testWeb } from '../../support/web-app.ts'
import { workflowTexts } from '../../support/workflow-texts.ts'

/** So that a second of the limiter is a request. */
const RATE_PER_SECOND = 1

let server: MatchServer
let web: TestWeb
beforeAll(async () => {
  server = await startMatchServer({
    policyFor: (domain) => ({
      ...defaultPolicy(domain),
      strategy: 'fixed',
      maxRps: RATE_PER_SECOND,
    }),
  })
  const { bench } = server
  web = testWeb(bench.db, { client: bench.client, taskQueue: bench.taskQueue })
})
afterAll(() => server.close())
beforeEach(() => server.service.respond(answerByName))

const mapping = { mapping: { name: 'name', variants: [], properties: [] } }
const newProject = (count: number) =>
  createTestProject(
    server.bench.db,
    server.ownAddress(),
    Array.from({ length: count }, (_, at) => ({ id: `r${at}`, name: `Name ${at}` })),
    mapping,
  )
const asksFor = ({ queries }: FakeRequest, name: string) =>
  Object.values(queries ?? {}).some(({ query }) => query === name)

it('answers a search within three seconds of a domain whose rate a run uses up', async () => {
  const { service, bench } = server
  const { id } = await newProject(150)
  const run = await bench.start(id, { options: { entriesPerTask: 1 } })
  await service.until(() => service.requests.filter(({ queries }) => queries !== null).length >= 3)

  const before = service.requests.length
  const found = await web.json<{ items: readonly { id: string }[] }>(
    `/projects/${id}/items?text=Berlin`,
  )
  expect(found.items).toMatchObject([{ id: 'Q64', name: 'Berlin' }])
  const since = service.requests.slice(before)
  // It reads the manifest first; from then on it is known to wait.
  const asked = since.findIndex(({ queries }) => queries === null)
  const answered = since.findIndex((request) => asksFor(request, 'Berlin'))
  expect(asked).toBeGreaterThanOrEqual(0)
  expect(answered - asked).toBeGreaterThan(0)
  expect(answered - asked - 1).toBeLessThanOrEqual(3 * RATE_PER_SECOND)
  await run.cancel()
  await run.result().catch(() => undefined)
})

it('leaves no text of a person in the history of the engine, and none in the database', async () => {
  const { bench } = server
  const { id } = await newProject(1)
  await web.json(`/projects/${id}/items?text=Canary%20of%20Ann`)
  expect(await bench.db.selectFrom('item_search').selectAll().execute()).toEqual([])
  const ids: string[] = []
  await vi.waitFor(async () => {
    for await (const { workflowId } of bench.client.workflow.list({
      query: `WorkflowType = "searchItems" AND TaskQueue = "${bench.taskQueue}"`,
    })) {
      ids.push(workflowId)
    }
    expect(ids).not.toEqual([])
  }, 60_000)
  const { text } = await workflowTexts(bench.client, ...ids)
  expect(text).toContain('searchId')
  expect(text).not.toContain('Canary')
})

it('shows what it found without a script too, and judges by it', async () => {
  const { id } = await newProject(1)
  server.service.respond((request) =>
    request.queries === null
      ? manifestAnswer(request)
      : answerEach(request, () => [
          { id: 'Q1', name: 'Name <0>', score: 50, match: false, type: [] },
        ]),
  )
  await (await server.bench.start(id)).result()
  const ann = { Cookie: 'record_linker_reviewer=Ann' }
  const { seen } = await web.json<{ seen: string }>(`/projects/${id}/entries/r0`)
  const carried = { entry: 'r0', seen, place: '', view: '', note: '' }
  const asked = await web.form(`/p/${id}/judge`, { ...carried, say: 'item', item: 'a name' }, ann)
  expect(asked.status).toBe(303)
  const answer = await web.ask(asked.headers.get('Location') ?? '', {
    headers: { Accept: 'text/html', ...ann },
  })
  const page = await answer.text()
  expect(page).toContain('Name &lt;0&gt;')
  expect(page).toContain('value="match Q1"')
  expect(page).toContain(`name="seen" value="${seen}"`)
  const judged = await web.form(`/p/${id}/judge`, { ...carried, say: 'match Q1' }, ann)
  expect(judged.status).toBe(303)
  expect(await web.json(`/projects/${id}/entries/r0`)).toMatchObject({
    status: 'matched',
    qid: 'Q1',
  })
})

it('says what is wrong with a search', async () => {
  const { id } = await newProject(1)
  expect(await web.json(`/projects/${id}/items?text=%20`, 422)).toMatchObject({
    code: 'nothing_to_search',
  })
  expect(await web.json('/projects/987654321/items?text=a', 404)).toMatchObject({
    code: 'unknown_project',
  })
})
