import type { WorkflowHandle } from '@temporalio/client'
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest'
import { latestRun } from '../../../src/db/runs.repo.ts'
import { pauseSignal, resumeSignal, setWindowSignal } from '../../../src/workflows/messages.ts'
import { answerByName, manifestAnswer } from '../../support/fake-reconciliation-service.ts'
import { createTestProject, reviseSettings } from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'
import {
  keepHistories,
  type RecordedHistory,
  replay,
  takeHistory,
} from '../../support/recorded-histories.ts'
import { signalsOf } from '../../support/signals-of.ts'

let server: MatchServer
beforeAll(async () => {
  server = await startMatchServer()
})
afterAll(() => server.close())

const records = [
  'Amsterdam',
  'Berlin',
  'Utrecht',
  'Nowhere',
  'Paris',
  'Rome',
  'Vienna',
  'Madrid',
].map((name, index) => ({ id: `r${index}`, name, variants: index === 3 ? 'London' : '' }))

async function completed(): Promise<RecordedHistory[]> {
  const { bench, service } = server
  const project = await createTestProject(bench.db, server.ownAddress(), records)
  const handle = await bench.start(project.id, { options: { entriesPerTask: 4 } })
  await handle.result()
  return [
    await takeHistory(bench.client, 'match-project-completed', handle.workflowId),
    await takeHistory(bench.client, 'match-task-asking', `${handle.workflowId}/run-1/task-1`),
    await takeHistory(bench.client, 'domain-limiter', `limiter/${service.domain}`),
  ]
}

async function continued(): Promise<RecordedHistory[]> {
  const { bench } = server
  const project = await createTestProject(bench.db, server.ownAddress(), records)
  const handle = await bench.start(project.id, {
    options: { entriesPerTask: 1 },
    sizes: { tasksPerShard: 2, shardsInFlight: 1, shardsPerExecution: 2, window: 2 },
  })
  await handle.result()
  const id = handle.workflowId
  return [
    await takeHistory(bench.client, 'match-project-continued-1', id, handle.firstExecutionRunId),
    await takeHistory(bench.client, 'match-project-continued-2', id),
    await takeHistory(bench.client, 'match-shard', `${id}/run-1/shard-0`),
  ]
}

async function sharded(): Promise<RecordedHistory[]> {
  const { bench } = server
  const project = await createTestProject(bench.db, server.ownAddress(), records)
  const handle = await bench.start(project.id, {
    options: { entriesPerTask: 1 },
    sizes: { tasksPerShard: 3, shardsInFlight: 2, shardsPerExecution: 9, window: 4 },
  })
  await handle.result()
  const id = handle.workflowId
  return [
    await takeHistory(bench.client, 'match-project-shards', id),
    await takeHistory(bench.client, 'match-shard-rest', `${id}/run-1/shard-0`),
  ]
}

async function paused(): Promise<RecordedHistory[]> {
  const { bench, service } = server
  const { db } = bench
  const project = await createTestProject(db, server.ownAddress(), records)
  service.respond((request) =>
    request.queries === null ? manifestAnswer(request) : { status: 401, json: {} },
  )
  const handle = await bench.start(project.id, { options: { entriesPerTask: 4 } })
  const reason = async () => (await latestRun(db, project.id))?.pausedReason ?? ''
  await vi.waitFor(async () => expect(await reason()).toContain('unauthorised'), {
    timeout: 20_000,
  })
  service.respond(answerByName)
  await handle.signal(resumeSignal)
  await handle.signal(pauseSignal, { reason: 'by user' })
  await handle.signal(resumeSignal)
  await handle.result()
  return [
    await takeHistory(bench.client, 'match-project-pause-read', handle.workflowId),
    await takeHistory(bench.client, 'match-task-pause-read', `${handle.workflowId}/run-1/task-1`),
  ]
}

/** Shards start tasks, so they are told of the pause; their tasks are not. */
async function pausedInShards(): Promise<RecordedHistory[]> {
  const { bench, service } = server
  const project = await createTestProject(bench.db, server.ownAddress(), records)
  let letGo: () => void = () => undefined
  const gone = new Promise<void>((resolve) => (letGo = resolve))
  const before = service.requests.length
  service.respond(async (request) => {
    if (request.queries === null) return manifestAnswer(request)
    await gone
    return answerByName(request)
  })
  const handle = await bench.start(project.id, {
    options: { entriesPerTask: 1 },
    sizes: { tasksPerShard: 4, shardsInFlight: 2, shardsPerExecution: 9, window: 4 },
  })
  await service.until(() => service.requests.slice(before).some(({ queries }) => queries !== null))
  await handle.signal(pauseSignal, { reason: 'by user' })
  const id = handle.workflowId
  const shard = bench.client.workflow.getHandle(`${id}/run-1/shard-0`)
  await vi.waitFor(async () => expect(await toldOf(shard)).toEqual(['pause']), { timeout: 20_000 })
  letGo()
  await handle.signal(resumeSignal)
  await handle.result()
  const task = bench.client.workflow.getHandle(`${id}/run-1/task-1`)
  expect(await toldOf(task)).not.toContain('pause')
  return [
    await takeHistory(bench.client, 'match-project-shards-paused', id),
    await takeHistory(bench.client, 'match-shard-paused', `${id}/run-1/shard-0`),
  ]
}

/** Signals that it got, but for those about windows. */
async function toldOf(handle: Pick<WorkflowHandle, 'fetchHistory'>): Promise<readonly string[]> {
  const names = (await signalsOf(handle)).map(({ name }) => name)
  return names.filter((name) => name !== setWindowSignal.name)
}

async function cancelled(): Promise<RecordedHistory[]> {
  const { bench, service } = server
  const project = await createTestProject(bench.db, server.ownAddress(), records)
  const before = service.requests.length
  service.respond((request) =>
    request.queries === null ? manifestAnswer(request) : { hang: 'before_headers' },
  )
  const handle = await bench.start(project.id, { options: { entriesPerTask: 4 } })
  await service.until(() => service.requests.slice(before).some(({ queries }) => queries !== null))
  await handle.cancel()
  await expect(handle.result()).rejects.toThrow('cancelled')
  service.respond(answerByName)
  return [await takeHistory(bench.client, 'match-project-cancelled', handle.workflowId)]
}

/** Shards hear of the cancel as tasks do. */
async function cancelledInShards(): Promise<RecordedHistory[]> {
  const { bench, service } = server
  const project = await createTestProject(bench.db, server.ownAddress(), records)
  const before = service.requests.length
  service.respond((request) =>
    request.queries === null ? manifestAnswer(request) : { hang: 'before_headers' },
  )
  const handle = await bench.start(project.id, {
    options: { entriesPerTask: 1 },
    sizes: { tasksPerShard: 3, shardsInFlight: 2, shardsPerExecution: 9, window: 4 },
  })
  await service.until(() => service.requests.slice(before).some(({ queries }) => queries !== null))
  await handle.cancel()
  await expect(handle.result()).rejects.toThrow('cancelled')
  service.respond(answerByName)
  const id = handle.workflowId
  return [
    await takeHistory(bench.client, 'match-project-shards-cancelled', id),
    await takeHistory(bench.client, 'match-shard-cancelled', `${id}/run-1/shard-0`),
  ]
}

/** Many starts are on their way then; whether the run hears of the cancel before they are answered is a matter of luck. */
async function cancelledWhileStarting(): Promise<RecordedHistory[]> {
  const { bench, service } = server
  const many = Array.from({ length: 40 }, (_, n) => ({ id: `m${n}`, name: `City ${n}` }))
  const project = await createTestProject(bench.db, server.ownAddress(), many)
  const before = service.requests.length
  const handle = await bench.start(project.id, { options: { entriesPerTask: 1 } })
  await service.until(() => service.requests.slice(before).some(({ queries }) => queries !== null))
  await handle.cancel()
  await expect(handle.result()).rejects.toThrow('cancelled')
  return [await takeHistory(bench.client, 'match-project-late-cancel', handle.workflowId)]
}

async function decidedAgain(): Promise<RecordedHistory[]> {
  const { bench } = server
  const project = await createTestProject(bench.db, server.ownAddress(), records)
  await (await bench.start(project.id)).result()
  await reviseSettings(bench.db, project, { thresholds: { match: 101, review: 35, lead: 10 } })
  const again = { settingsRevision: 2, options: { entriesPerTask: 1 } }
  const handle = await bench.start(project.id, again)
  await handle.result()
  return [await takeHistory(bench.client, 'match-task-quick', `${handle.workflowId}/run-2/task-1`)]
}

it.each([
  ['completed', completed],
  ['decided again by stored answers', decidedAgain],
  ['continued as new', continued],
  ['split into shards that share their window', sharded],
  ['paused and resumed', paused],
  ['paused and resumed in the middle of its shards', pausedInShards],
  ['cancelled', cancelled],
  ['cancelled in the middle of its shards', cancelledInShards],
  ['cancelled while its tasks were being started', cancelledWhileStarting],
])('a run that was %s replays', async (_, scenario) => {
  const histories = await scenario()
  for (const recorded of histories) await replay(inject('workflowBundlePath'), recorded)
  expect(histories.length).toBeGreaterThan(0)
  if (process.env['RECORD_HISTORIES'] === '1') await keepHistories(histories)
})
