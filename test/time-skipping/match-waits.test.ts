import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import type { Db } from '../../src/db/connect.ts'
import { countProject, countRequests } from '../../src/db/run-progress.repo.ts'
import { latestRun } from '../../src/db/runs.repo.ts'
import { pauseSignal, resumeSignal } from '../../src/workflows/messages.ts'
import {
  answerByName,
  type FakeService,
  manifestAnswer,
  startFakeService,
} from '../support/fake-reconciliation-service.ts'
import { type MatchBench, type MatchBenchHandle, startMatchBench } from '../support/match-bench.ts'
import { createTestProject } from '../support/match-project-rows.ts'
import { type SkippingClock, startSkippingClock } from '../support/skipping-clock.ts'
import { createTempDatabase } from '../support/temp-database.ts'
import { startTimeSkippingEnv } from '../support/time-skipping-env.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

/** A retry quota that says what the test wants. */
const quota = { isEmpty: false, asked: [] as string[] }
let env: TestWorkflowEnvironment
let clock: SkippingClock
let bench: MatchBench
let db: Db
let service: FakeService
let database: Awaited<ReturnType<typeof createTempDatabase>>

// One scenario per server: its clock is global and only goes forward.
beforeEach(async () => {
  env = await startTimeSkippingEnv()
  clock = await startSkippingClock(env)
  database = await createTempDatabase()
  service = await startFakeService()
  Object.assign(quota, { isEmpty: false, asked: [] })
  bench = await startMatchBench({
    connection: env.nativeConnection,
    client: env.client,
    databaseUrl: database.url,
    workflowBundlePath: inject('workflowBundlePath'),
    clock,
    nowMs: () => clock.nowMs(),
    random: () => 0,
    books: {
      takeRetry: (domain) => quota.asked.push(domain) > 0 && !quota.isEmpty,
      settle: () => Promise.resolve(),
    },
  })
  db = bench.db
})
afterEach(async () => {
  await service.close()
  await bench.stop()
  await clock.stop()
  await env.teardown()
  await database.drop()
})

const names = ['Amsterdam', 'Berlin', 'Paris', 'Rome', 'Vienna', 'Madrid']
const records = names.map((name, index) => ({ id: `r${index}`, name }))
const newProject = () =>
  createTestProject(db, service.url, records, {
    mapping: { name: 'name', variants: [], properties: [] },
  })
const batches = () => service.requests.filter((request) => request.queries !== null)

/** How long the run took by the server's clock. */
async function runHours(handle: MatchBenchHandle): Promise<number> {
  const { startTime, closeTime } = await handle.describe()
  return ((closeTime?.getTime() ?? 0) - startTime.getTime()) / HOUR_MS
}

async function failedAttempts(): Promise<number> {
  const rows = await db.selectFrom('lookup').select('attempts').execute()
  return rows.reduce((sum, { attempts }) => sum + attempts, 0)
}

describe('a wait', () => {
  it('case 14: of hours asked for by Retry-After is kept to, slows the domain once and costs no attempt', async () => {
    const project = await newProject()
    service.respondOnce(manifestAnswer, { status: 429, headers: { 'retry-after': '10800' } })
    const handle = await bench.start(project.id, { options: { maxAttempts: 1 } })
    await handle.result()
    expect(await runHours(handle)).toBeGreaterThanOrEqual(3)
    expect(batches()).toHaveLength(2)
    expect(await failedAttempts()).toBe(0)
    expect(await countProject(db, project.id)).toMatchObject({ matched: 6, failed: 0 })
  })

  it('case 23: for a lagging MediaWiki, twenty times in a row, grows and fails nothing', async () => {
    const project = await newProject()
    const lagging = {
      json: { error: { code: 'maxlag', lag: 5.32, type: 'wikibase-queryservice' } },
      headers: { 'mediawiki-api-error': 'maxlag', 'retry-after': '5' },
    }
    service.respondOnce(manifestAnswer, ...Array.from({ length: 20 }, () => lagging))
    const handle = await bench.start(project.id, { options: { maxAttempts: 1 } })
    await handle.result()
    expect(batches()).toHaveLength(21)
    expect(await failedAttempts()).toBe(0)
    expect(await countProject(db, project.id)).toMatchObject({ matched: 6, failed: 0 })
    const { id = 0 } = (await latestRun(db, project.id)) ?? {}
    expect(await countRequests(db, id)).toMatchObject({ throttled: 20, failed: 0 })
    // Twenty waits of the five seconds it asks for would be over in two minutes.
    expect(await runHours(handle)).toBeGreaterThan(3 / 60)
  })

  it('between attempts grows, and a lookup fails after its last attempt, not before', async () => {
    const project = await newProject()
    service.respond((request) => {
      if (request.queries === null) return manifestAnswer(request)
      const asksBerlin = Object.values(request.queries).some(({ query }) => query === 'Berlin')
      return asksBerlin ? { status: 500 } : answerByName(request)
    })
    const handle = await bench.start(project.id)
    await handle.result()
    const counts = await countProject(db, project.id)
    expect(counts).toMatchObject({ matched: 5, failed: 1 })
    const berlin = batches().filter((request) =>
      Object.values(request.queries ?? {}).every(({ query }) => query === 'Berlin'),
    )
    // Alone at the end of the bisection, then twice more.
    expect(berlin.length).toBe(3)
    // The shortest waits are 2.5 s and 15 s.
    expect(await runHours(handle)).toBeGreaterThan(17 / 3600)
  })

  it('case B18: between attempts is a back-off longer while the retry quota is empty, and fails nothing sooner', async () => {
    const project = await newProject()
    service.respond((request) => {
      if (request.queries === null) return manifestAnswer(request)
      const asksBerlin = Object.values(request.queries).some(({ query }) => query === 'Berlin')
      return asksBerlin ? { status: 500 } : answerByName(request)
    })
    quota.isEmpty = true
    const handle = await bench.start(project.id)
    await handle.result()
    expect(await countProject(db, project.id)).toMatchObject({ matched: 5, failed: 1 })
    const berlin = batches().filter((request) =>
      Object.values(request.queries ?? {}).every(({ query }) => query === 'Berlin'),
    )
    expect(berlin.length).toBe(3)
    // Asked for after each failure that is repeated, not after the last.
    expect(quota.asked).toEqual([service.domain, service.domain])
    // Without chance 2.5 s and 15 s, each of them twice; once they are over it is sent like anything else.
    expect(await runHours(handle)).toBeGreaterThanOrEqual(35 / 3600)
  })

  it('of an hour with every connection refused fails nothing, and sending goes on within a minute', async () => {
    const project = await newProject()
    await service.stop()
    const handle = await bench.start(project.id, { options: { maxAttempts: 1 } })
    await env.sleep(HOUR_MS)
    expect(await countProject(db, project.id)).toMatchObject({ failed: 0, completed: 0 })
    await service.restart()
    const backAtMs = await env.currentTimeMs()
    await handle.result()
    const { closeTime } = await handle.describe()
    expect((closeTime?.getTime() ?? 0) - backAtMs).toBeLessThan(60_000)
    expect(await countProject(db, project.id)).toMatchObject({ matched: 6, failed: 0 })
  })

  it('ends with domain_unavailable when a domain answers nobody for longer than --give-up-after', async () => {
    const project = await newProject()
    await service.stop()
    const handle = await bench.start(project.id, { options: { giveUpAfterMs: HOUR_MS / 2 } })
    await handle.result()
    expect(await runHours(handle)).toBeGreaterThanOrEqual(0.5)
    const rows = await db.selectFrom('result').select('error_code').execute()
    expect(new Set(rows.map((row) => row.error_code))).toEqual(new Set(['domain_unavailable']))
  })
})

describe('a pause', () => {
  it('of a day sends nothing and costs nothing', async () => {
    const project = await newProject()
    service.respond((request) =>
      request.queries === null
        ? { ...manifestAnswer(request), delayMs: 200 }
        : answerByName(request),
    )
    const handle = await bench.start(project.id, { options: { entriesPerTask: 1 } })
    await handle.signal(pauseSignal, { reason: 'by user' })
    await env.sleep(DAY_MS)
    expect((await latestRun(db, project.id))?.pausedReason).toBe('by user')
    const sent = service.requests.length
    expect(batches()).toHaveLength(0)
    await env.sleep(DAY_MS)
    expect(service.requests.length).toBe(sent)
    await handle.signal(resumeSignal)
    await handle.result()
    expect(await runHours(handle)).toBeGreaterThanOrEqual(48)
    expect(await countProject(db, project.id)).toMatchObject({ matched: 6 })
  })
})

describe('a run that is turned away', () => {
  it('is told so by each of its tasks once, however long it stands still', async () => {
    const project = await newProject()
    service.respond((request) =>
      request.queries === null ? manifestAnswer(request) : { status: 401, json: {} },
    )
    const handle = await bench.start(project.id, { options: { entriesPerTask: 2 } })
    await env.sleep(2 * DAY_MS)
    expect((await latestRun(db, project.id))?.pausedReason).toContain('unauthorised')
    const signals = async () => {
      const { events = [] } = await handle.fetchHistory()
      return (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes)
    }
    expect((await signals()).length).toBeLessThanOrEqual(3)
    service.respond(answerByName)
    await handle.signal(resumeSignal)
    await handle.result()
    expect(await countProject(db, project.id)).toMatchObject({ matched: 6 })
  })
})

describe('a cancel', () => {
  it('in the middle of a wait of hours ends the run at once', async () => {
    const project = await newProject()
    service.respondOnce(manifestAnswer, { status: 429, headers: { 'retry-after': '36000' } })
    const handle = await bench.start(project.id)
    await service.until(() => batches().some((request) => request.answered))
    await env.sleep(HOUR_MS)
    const cancelledAtMs = await env.currentTimeMs()
    await handle.cancel()
    // Not by `result()`: it lets the clock jump, also between the steps of a cancellation.
    await vi.waitFor(async () => expect((await handle.describe()).status.name).toBe('CANCELLED'), {
      timeout: 60_000,
      interval: 100,
    })
    const { closeTime } = await handle.describe()
    expect((closeTime?.getTime() ?? 0) - cancelledAtMs).toBeLessThan(60_000)
    expect(await countProject(db, project.id)).toMatchObject({ cancelled: 6, failed: 0 })
    expect(batches()).toHaveLength(1)
  })
})
