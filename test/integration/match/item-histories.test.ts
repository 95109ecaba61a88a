/** As `histories.test.ts`, of the workflows beside match runs. */
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { startExtension } from '../../../src/client/extend/start-extension.ts'
import { startRecheck } from '../../../src/client/recheck/start-recheck.ts'
import { defaultRunOptions } from '../../../src/core/run.ts'
import { keepSearch } from '../../../src/db/item-searches.repo.ts'
import { latestRun } from '../../../src/db/runs.repo.ts'
import type { endOfRun } from '../../../src/workflows/end-of-run.ts'
import type { fetchPicture } from '../../../src/workflows/fetch-picture.ts'
import type { scheduledMatch } from '../../../src/workflows/scheduled-match.ts'
import type {
  searchItems,
  suggestProperties,
  suggestTypes,
} from '../../../src/workflows/suggest.ts'
import { endOfRunId, scheduledMatchId } from '../../../src/core/workflow-ids.ts'
import { canariesIn, canaryMapping, canaryRecord } from '../../support/canaries.ts'
import { extensionIn } from '../../support/fake-extension.ts'
import {
  answerEach,
  type FakeAnswer,
  type FakeRequest,
  type FakeService,
  manifestAnswer,
  startFakeService,
} from '../../support/fake-reconciliation-service.ts'
import { createTestProject, type TestProject } from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'
import {
  keepHistories,
  type RecordedHistory,
  replay,
  takeHistory,
} from '../../support/recorded-histories.ts'

const SECRET = 'secret-canary'
/** The ports are known only once the servers are there. */
const credentials: Record<string, string> = {}
let server: MatchServer
let commons: FakeService
beforeAll(async () => {
  commons = await startFakeService({ headers: { 'content-type': 'image/png' }, body: 'PNG' })
  server = await startMatchServer({ credentials, commons: new URL(commons.url).origin })
  credentials[server.service.domain] = SECRET
  server.service.respond(answer)
})
afterAll(async () => {
  await server.close()
  await commons.close()
})

/** Finds every name and every id; knows who asks. */
function answer(request: FakeRequest): FakeAnswer {
  const asked = extensionIn(request)
  if (request.path.startsWith('/find')) return { json: { result: [{ id: 'P1', name: 'one' }] } }
  if (asked === null && request.queries === null) {
    const service_url = `http://${request.headers.host}`
    return manifestAnswer(request, {
      authentication: { type: 'http', scheme: 'bearer' },
      extend: {},
      suggest: { property: { service_url, service_path: '/find' } },
    })
  }
  if (request.headers.authorization !== `Bearer ${SECRET}`) return { status: 401, json: {} }
  if (asked !== null) {
    const row = (id: string) => ({ P18: [{ str: `${id}.png` }], P569: [] })
    return { json: { rows: Object.fromEntries(asked.ids.map((id) => [id, row(id)])) } }
  }
  return answerEach(request, ({ query = '' }) => {
    const id = /^Q\d+$/.test(query) ? query : `Q${query.replaceAll(/\D/g, '')}`
    return [{ id, name: query, score: 100, match: true, type: [{ id: 'Q5', name: 'human' }] }]
  })
}

function leavingOut(id: string) {
  return (request: FakeRequest): FakeAnswer => {
    const asked = Object.entries(request.queries ?? {}).filter(([, { query }]) => query !== id)
    return answer({ ...request, queries: Object.fromEntries(asked) })
  }
}

async function matched(): Promise<TestProject> {
  const { bench } = server
  const records = [1, 2, 3].map((number) => canaryRecord(number))
  const settings = { mapping: canaryMapping }
  const project = await createTestProject(bench.db, server.ownAddress(), records, settings)
  await (await bench.start(project.id)).result()
  return project
}

async function extended(): Promise<RecordedHistory> {
  const { client, taskQueue } = server.bench
  const { id: projectId } = await matched()
  // Then it waits, and asks again.
  commons.respondOnce({ status: 425 })
  const imagesSince = new Date().toISOString()
  const input = { projectId, properties: ['P18', 'P569'], imagesSince }
  const handle = await startExtension(client, input, taskQueue)
  await handle.result()
  return takeHistory(client, 'extend-project-completed', handle.workflowId)
}

async function stopped(): Promise<RecordedHistory> {
  const { service, bench } = server
  const { id: projectId } = await matched()
  const before = service.requests.length
  service.respondOnce({ hang: 'before_headers' })
  const handle = await startExtension(
    bench.client,
    { projectId, properties: ['P569'] },
    bench.taskQueue,
  )
  await service.until(() => service.requests.length > before)
  await handle.cancel()
  await expect(handle.result()).rejects.toThrow('cancelled')
  return takeHistory(bench.client, 'extend-project-cancelled', handle.workflowId)
}

async function rechecked(): Promise<RecordedHistory> {
  const { client, taskQueue } = server.bench
  const { id: projectId } = await matched()
  // One id is left out, also when it is asked alone: then it waits, and asks again.
  server.service.respondOnce(leavingOut('Q2'), leavingOut('Q2'))
  const input = { projectId, since: new Date().toISOString() }
  const handle = await startRecheck(client, input, taskQueue)
  expect(await handle.result()).toMatchObject({ canTell: true })
  return takeHistory(client, 'recheck-project', handle.workflowId)
}

async function typesSuggested(): Promise<RecordedHistory> {
  const { client, taskQueue } = server.bench
  const { id: projectId } = await matched()
  const workflowId = `suggest/types-of-${projectId}`
  await client.workflow.execute<typeof suggestTypes>('suggestTypes', {
    workflowId,
    taskQueue,
    args: [{ projectId }],
  })
  return takeHistory(client, 'suggest-types', workflowId)
}

async function propertiesSuggested(): Promise<RecordedHistory> {
  const { client, taskQueue } = server.bench
  const workflowId = `suggest/properties-of-${server.service.domain}`
  await client.workflow.execute<typeof suggestProperties>('suggestProperties', {
    workflowId,
    taskQueue,
    args: [{ service: server.ownAddress(), projectId: 0, text: 'birth' }],
  })
  return takeHistory(client, 'suggest-properties', workflowId)
}

async function searched(): Promise<RecordedHistory> {
  const { client, db, taskQueue } = server.bench
  const { id: projectId } = await matched()
  const searchId = await keepSearch(db, projectId, 'Q7')
  const workflowId = `suggest/items-of-${projectId}`
  await client.workflow.execute<typeof searchItems>('searchItems', {
    workflowId,
    taskQueue,
    args: [{ searchId }],
  })
  return takeHistory(client, 'search-items', workflowId)
}

async function pictureFetched(): Promise<RecordedHistory> {
  const { client, taskQueue } = server.bench
  const { id: projectId } = await matched()
  const workflowId = `picture/of-${projectId}`
  await client.workflow.execute<typeof fetchPicture>('fetchPicture', {
    workflowId,
    taskQueue,
    args: [{ projectId, item: 'Q1' }],
  })
  return takeHistory(client, 'fetch-picture', workflowId)
}

async function startedByClock(): Promise<RecordedHistory> {
  const { client, taskQueue } = server.bench
  const { id: projectId } = await matched()
  const workflowId = scheduledMatchId(projectId)
  const input = { projectId, options: defaultRunOptions }
  const { outcome } = await client.workflow.execute<typeof scheduledMatch>('scheduledMatch', {
    workflowId,
    taskQueue,
    args: [input],
  })
  expect(outcome).toBe('nothing_due')
  return takeHistory(client, 'scheduled-match', workflowId)
}

async function ended(): Promise<RecordedHistory> {
  const { client, db, taskQueue } = server.bench
  const { id: projectId } = await matched()
  const runId = (await latestRun(db, projectId))?.id ?? 0
  const workflowId = endOfRunId(projectId, 1)
  await client.workflow.execute<typeof endOfRun>('endOfRun', {
    workflowId,
    taskQueue,
    args: [{ runId }],
  })
  return takeHistory(client, 'end-of-run', workflowId)
}

/** Those in which something could not be asked at first. */
const waits = new Set(['extend-project-completed', 'recheck-project'])

it.each([
  ['an extension with images', extended],
  ['an extension that was stopped', stopped],
  ['a recheck', rechecked],
  ['a suggestion of types', typesSuggested],
  ['a suggestion of properties', propertiesSuggested],
  ['a search of items', searched],
  ['a picture', pictureFetched],
  ['a start by the clock', startedByClock],
  ['the end of a run', ended],
])('%s replays, and its history has no cell and no secret', async (_, scenario) => {
  const recorded = await scenario()
  await replay(inject('workflowBundlePath'), recorded)
  const text = Buffer.from(recorded.history, 'base64').toString('latin1')
  expect(text).toMatch(/projectId|searchId|runId/)
  expect(canariesIn(text)).toEqual([])
  expect(recorded.events.includes('TIMER_FIRED')).toBe(waits.has(recorded.name))
  if (process.env['RECORD_HISTORIES'] === '1') await keepHistories([recorded])
})
