/** What is in a record gets to the service where it is mapped to be sent, into our tables, and nowhere else. */
import { MockActivityEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withFailures } from '../../../src/activities/to-failure.ts'
import { defaultPolicy } from '../../../src/core/limiter/policy.ts'
import { limiterId, matchProjectId } from '../../../src/core/workflow-ids.ts'
import {
  canariesIn,
  canaryMapping,
  canaryRecord,
  keptColumns,
  sentColumns,
} from '../../support/canaries.ts'
import {
  answerEach,
  type FakeAnswer,
  type FakeRequest,
  htmlAnswer,
  manifestAnswer,
} from '../../support/fake-reconciliation-service.ts'
import { createTestProject, type TestProject } from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'
import { workflowTexts } from '../../support/workflow-texts.ts'

let server: MatchServer
beforeAll(async () => {
  server = await startMatchServer({
    random: () => 0,
    judgeChild: new URL('../../support/poisonable-child.ts', import.meta.url),
    // Failures in a row are the point here, not what stops it.
    policyFor: (domain) => ({
      ...defaultPolicy(domain),
      consecutiveFailThreshold: 1_000,
      minSamplesToTrip: 1_000,
    }),
  })
})
afterAll(() => server.close())

function makeProject(namePrefixes: readonly string[] = ['', '', '']): Promise<TestProject> {
  const records = namePrefixes.map((prefix, index) => canaryRecord(index + 1, prefix))
  return createTestProject(server.bench.db, server.ownAddress(), records, {
    mapping: canaryMapping,
  })
}

/** A service that answers its manifest, and questions so; every answer repeats what it was asked. */
function respond(answer: (request: FakeRequest, echo: string) => FakeAnswer): void {
  server.service.respond((request) => {
    if (request.method === 'GET' && !request.path.includes('moved')) return manifestAnswer(request)
    return answer(request, JSON.stringify(request.queries))
  })
}

const found = (request: FakeRequest): FakeAnswer =>
  answerEach(request, ({ query }) => [
    {
      id: 'Q1',
      name: query,
      description: `about ${query ?? ''}`,
      score: 100,
      match: true,
      type: [],
    },
  ])

/** Everything that the engine and our tables about calls and runs keep of a project. */
async function keptOf(project: TestProject): Promise<string> {
  const { bench, service } = server
  const { text, ids } = await workflowTexts(
    bench.client,
    matchProjectId(project.id),
    limiterId(service.domain),
  )
  expect(ids.some((id) => id.includes('/task-'))).toBe(true)
  // What is looked through is really there.
  expect(text).toContain(`"projectId":${project.id}`)
  const runs = await bench.db
    .selectFrom('run')
    .where('project_id', '=', project.id)
    .selectAll()
    .execute()
  const runIds = runs.map(({ id }) => id)
  const attempts = await bench.db
    .selectFrom('attempt')
    .where('run_id', 'in', runIds)
    .selectAll()
    .execute()
  expect(attempts.length).toBeGreaterThan(1)
  const told = await bench.db
    .selectFrom('subject')
    .where('project_id', '=', project.id)
    .select(['error_code', 'error_message'])
    .execute()
  const failures = await bench.db
    .selectFrom('lookup')
    .where('service', '=', project.settings.service)
    .select(['error_code', 'error_message'])
    .execute()
  const tasks = await bench.db
    .selectFrom('task')
    .where('run_id', 'in', runIds)
    .selectAll()
    .execute()
  const limits = await bench.db.selectFrom('domain_limit').selectAll().execute()
  return [text, JSON.stringify([runs, attempts, told, failures, tasks, limits])].join('\n')
}

it('only names and columns that are mapped to be sent reach the service', async () => {
  const project = await makeProject()
  respond(found)
  const before = server.service.requests.length
  await (await server.bench.start(project.id)).result()
  const sent = server.service.requests.slice(before)
  const text = JSON.stringify(sent.map(({ path, headers, queries }) => [path, headers, queries]))
  const seen = (columns: readonly string[]) =>
    columns.filter((column) => text.includes(`Canary-${column}-`))
  // The first name was found, so nobody was asked about the second.
  expect(seen(sentColumns)).toEqual(['name', 'country', 'kind'])
  expect(seen(keptColumns)).toEqual([])
  expect(canariesIn(await keptOf(project))).toEqual([])
})

it('nor is any cell in the workflows of a large run, with its shards', async () => {
  const project = await makeProject(['', '', '', '', '', ''])
  respond((request) => answerEach(request, () => []))
  const sizes = { tasksPerShard: 2, shardsInFlight: 2, shardsPerExecution: 2 }
  const options = { entriesPerTask: 1 }
  await (await server.bench.start(project.id, { options, sizes })).result()
  const { ids, text } = await workflowTexts(server.bench.client, matchProjectId(project.id))
  expect(ids.filter((id) => id.includes('/shard-'))).toHaveLength(3)
  expect(ids.filter((id) => id.includes('/task-'))).toHaveLength(6)
  expect(text).toContain('undecided')
  expect(canariesIn(text)).toEqual([])
})

describe('nothing of a record is kept of a call when the service repeats the question in', () => {
  it.each<[string, (request: FakeRequest, echo: string) => FakeAnswer]>([
    ['a 400', (_, echo) => ({ status: 400, json: { status: 'error', message: echo } })],
    ['a 500', (_, echo) => ({ status: 500, body: `Traceback: KeyError ${echo}` })],
    ['an error with status 200', (_, echo) => ({ json: { status: 'error', details: echo } })],
    ['a page with status 200', (_, echo) => htmlAnswer(200, `Search for ${echo}`)],
    ['broken JSON', (_, echo) => ({ body: `{"q0": ${echo.slice(0, -3)}` })],
    ['JSON that begins with it', (_, echo) => ({ body: `${echo.replaceAll('"', '')} is no JSON` })],
    [
      'an answer for one of them only',
      (_, echo) => ({ json: { q0: { error: echo, result: [] } } }),
    ],
    ['a body that breaks off', (_, echo) => ({ body: echo.repeat(2), drop: 'in_body' })],
    [
      'an address it redirects to',
      (request, echo) =>
        request.path.includes('moved')
          ? { status: 500, body: echo }
          : {
              status: 307,
              headers: {
                location: `/moved/${encodeURIComponent(echo.slice(0, 200))}?q=${encodeURIComponent(echo.slice(0, 99))}`,
              },
            },
    ],
    [
      'headers',
      (_, echo) => ({
        status: 500,
        headers: { 'x-query': encodeURIComponent(echo), 'retry-after': encodeURIComponent(echo) },
      }),
    ],
  ])('%s', async (_, answer) => {
    const project = await makeProject()
    respond(answer)
    await (await server.bench.start(project.id, { options: { maxAttempts: 1 } })).result()
    const kept = await keptOf(project)
    expect(canariesIn(kept)).toEqual([])
    // They failed by that answer, and say so.
    expect(kept).toMatch(/"error_code":"(?!terminated|internal)/)
  })

  it('a refusal that pauses the run', async () => {
    const project = await makeProject()
    respond((__, echo) => htmlAnswer(403, `Forbidden: ${echo}`))
    const handle = await server.bench.start(project.id)
    const paused = () =>
      server.bench.db
        .selectFrom('run')
        .where('project_id', '=', project.id)
        .where('paused_reason', 'is not', null)
        .select('paused_reason')
        .executeTakeFirst()
    await expect.poll(paused, { timeout: 30_000 }).toMatchObject({
      paused_reason: expect.stringMatching(/^forbidden: /) as string,
    })
    await handle.cancel()
    await handle.result().catch(() => undefined)
    expect(canariesIn(await keptOf(project))).toEqual([])
  })

  it('a refusal that is waited for', async () => {
    const project = await makeProject()
    let refused = 0
    respond((request, echo) => {
      refused += 1
      if (refused > 1) return found(request)
      return { ...htmlAnswer(429, `Too many requests: ${echo}`), headers: { 'retry-after': '1' } }
    })
    await (await server.bench.start(project.id)).result()
    expect(refused).toBeGreaterThan(1)
    expect(canariesIn(await keptOf(project))).toEqual([])
  })
})

it('nothing of a record is kept of one that kills its process', async () => {
  const { db } = server.bench
  const project = await makeProject(['', 'Poison '])
  server.service.respond(async (request) => {
    if (request.queries === null) return manifestAnswer(request)
    // What a worker leaves that dies while it decides: the marker of its page.
    await db
      .updateTable('task')
      .set({ marked_subject_id: 1e12 })
      .where('status', '=', 'open')
      .execute()
    return found(request)
  })
  await (await server.bench.start(project.id)).result()
  const codes = await db
    .selectFrom('subject')
    .where('project_id', '=', project.id)
    .select('error_code')
    .execute()
  expect(codes.map((one) => one.error_code)).toContain('poison')
  expect(canariesIn(await keptOf(project))).toEqual([])
})

it.each([
  ['a parser', () => JSON.parse('Canary is no JSON') as unknown],
  ['a pattern', () => new RegExp(['(', 'Canary'].join(''))],
  ['a key', () => Object(undefined as unknown).Canary.length as unknown],
  [
    'the database',
    () =>
      Promise.reject(
        Object.assign(new Error('invalid input: "Canary"'), { code: '22P02', severity: 'ERROR' }),
      ),
  ],
  ['a cause', () => Promise.reject(new Error('x', { cause: new Error('Canary') }))],
  [
    'text that looks like a stack',
    () => Promise.reject(new Error('x\n    at Canary (src/x.ts:1:1)')),
  ],
])('an error nobody foresaw tells its place, and nothing that %s quotes', async (_, act) => {
  const env = new MockActivityEnvironment()
  const failure: unknown = await env
    .run(() => withFailures(async () => act()))
    .catch((error: unknown) => error)
  expect(failure).toMatchObject({
    type: 'internal_error',
    message: expect.stringContaining(' at ') as string,
  })
  const { message, stack, cause } = failure as Error
  expect(canariesIn(`${message} ${stack ?? ''} ${String(cause)}`)).toEqual([])
})
