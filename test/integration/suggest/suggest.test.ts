import proto from '@temporalio/proto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { askThroughWorker } from '../../../src/client/suggest/ask-through-worker.ts'
import { UsageError } from '../../../src/errors.ts'
import type { suggestProperties, suggestTypes } from '../../../src/workflows/suggest.ts'
import {
  answerEach,
  type FakeRequest,
  type FakeService,
  manifestAnswer,
  startFakeService,
} from '../../support/fake-reconciliation-service.ts'
import { createTestProject } from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'

/** The ports are known only once the servers are there. */
const credentials: Record<string, string> = {}

let server: MatchServer
let other: FakeService
beforeAll(async () => {
  server = await startMatchServer({ credentials })
  other = await startFakeService()
  credentials[server.service.domain] = 'token of the service'
})
afterAll(async () => {
  await server.close()
  await other.close()
})

const types = (projectId: number) =>
  askThroughWorker((options) =>
    server.bench.client.workflow.start<typeof suggestTypes>('suggestTypes', {
      ...options,
      taskQueue: server.bench.taskQueue,
      args: [{ projectId }],
    }),
  )

const properties = (service: string, text: string) =>
  askThroughWorker((options) =>
    server.bench.client.workflow.start<typeof suggestProperties>('suggestProperties', {
      ...options,
      taskQueue: server.bench.taskQueue,
      args: [{ service, projectId: 0, text }],
    }),
  )

it('the types of ten random names are ranked, and no name is in the history', async () => {
  const records = Array.from({ length: 40 }, (_, index) => ({
    id: `${index}`,
    name: `Canary ${index}`,
  }))
  const project = await createTestProject(server.bench.db, server.ownAddress(), [
    ...records,
    { id: 'blank', name: '' },
  ])
  const before = server.service.requests.length
  server.service.respond((request) =>
    request.queries === null
      ? manifestAnswer(request)
      : answerEach(request, ({ query }) => [
          { id: 'Q1', name: query, score: 9, type: [{ id: 'Q5', name: 'human' }] },
        ]),
  )
  expect(await types(project.id)).toEqual({
    asked: 10,
    failed: 0,
    types: [{ id: 'Q5', name: 'human', names: 10, candidates: 10 }],
  })
  const asked = server.service.requests
    .slice(before)
    .flatMap(({ queries }) => Object.values(queries ?? {}))
  expect(new Set(asked.map(({ query }) => query)).size).toBe(10)
  for await (const { workflowId } of server.bench.client.workflow.list({
    query: 'WorkflowType = "suggestTypes"',
  })) {
    const history = await server.bench.client.workflow.getHandle(workflowId).fetchHistory()
    const bytes = Buffer.from(proto.temporal.api.history.v1.History.encode(history).finish())
    expect(bytes.includes('projectId')).toBe(true)
    expect(bytes.includes('Canary')).toBe(false)
  }
})

it('a property is found by name where the service offers it, and said not to be where not', async () => {
  server.service.respond((request) => {
    const base = `http://${request.headers.host}`
    if (request.path.startsWith('/find')) {
      return { json: { result: [{ id: 'P569', name: 'date of birth', description: 'day' }, {}] } }
    }
    return manifestAnswer(request, {
      suggest: { property: { service_url: base, service_path: '/find?lang=en' } },
    })
  })
  expect(await properties(server.ownAddress(), 'birth date')).toEqual({
    isOffered: true,
    properties: [{ id: 'P569', name: 'date of birth', description: 'day' }],
  })
  expect(server.service.requests.at(-1)?.path).toBe('/find?lang=en&prefix=birth+date')
  server.service.respond((request) => manifestAnswer(request))
  expect(await properties(server.ownAddress(), 'birth date')).toEqual({
    isOffered: false,
    properties: [],
  })
})

it('a property is searched for with the credentials of the host that is asked, and of no other', async () => {
  const found = { json: { result: [{ id: 'P569', name: 'date of birth' }] } }
  other.respond(found)
  const guarded = (base: string) => (request: FakeRequest) => {
    if (!request.path.startsWith('/find')) {
      return manifestAnswer(request, {
        authentication: { type: 'http', scheme: 'bearer' },
        suggest: { property: { service_url: base, service_path: '/find' } },
      })
    }
    return request.headers.authorization === 'Bearer token of the service'
      ? found
      : { status: 401, json: {} }
  }
  server.service.respond(guarded(`http://${server.service.domain}`))
  expect(await properties(server.ownAddress(), 'birth')).toMatchObject({
    properties: [{ id: 'P569' }],
  })
  server.service.respond(guarded(`http://${other.domain}`))
  await properties(server.ownAddress(), 'birth')
  expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([undefined])
})

it('a service that turns us away ends the command with what to do', async () => {
  server.service.respond({ status: 401, json: { message: 'no' } })
  const asked = properties(server.ownAddress(), 'birth date')
  await expect(asked).rejects.toBeInstanceOf(UsageError)
})
