import { WorkflowFailedError } from '@temporalio/client'
import { CancelledFailure } from '@temporalio/common'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { matchTaskId } from '../../../src/core/workflow-ids.ts'
import type { Db } from '../../../src/db/connect.ts'
import { countProject } from '../../../src/db/run-progress.repo.ts'
import { latestRun, noteCancelRequested } from '../../../src/db/runs.repo.ts'
import { pauseSignal, progressQuery, resumeSignal } from '../../../src/workflows/messages.ts'
import {
  answerByName,
  type FakeService,
  manifestAnswer,
} from '../../support/fake-reconciliation-service.ts'
import type { MatchBench, MatchBenchHandle } from '../../support/match-bench.ts'
import { createTestProject } from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'
import { signalsOf } from '../../support/signals-of.ts'

let server: MatchServer
let bench: MatchBench
let db: Db
let service: FakeService

beforeAll(async () => {
  server = await startMatchServer()
  ;({ bench, service } = server)
  db = bench.db
})
afterAll(() => server.close())
let earlier = 0
beforeEach(() => {
  service.respond(answerByName)
  earlier = service.requests.length
})

const fortyRecords = Array.from({ length: 40 }, (_, index) => ({
  id: `r${index}`,
  name: `Name ${index}`,
}))
const withMapping = { mapping: { name: 'name', variants: [], properties: [] } }
const newProject = () => createTestProject(db, server.ownAddress(), fortyRecords, withMapping)
/** Batches of the running test. */
const batches = () => service.requests.slice(earlier).filter((request) => request.queries !== null)

/** Answers the first `count` batches, then never again. */
function hangAfter(count: number): void {
  let answered = 0
  service.respond((request) => {
    if (request.queries === null) return manifestAnswer(request)
    answered += 1
    return answered <= count ? answerByName(request) : { hang: 'before_headers' }
  })
}

async function outcomeOf(handle: MatchBenchHandle): Promise<string> {
  try {
    await handle.result()
    return 'completed'
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error
    return error.cause instanceof CancelledFailure ? 'cancelled' : 'failed'
  }
}

describe('cancel', () => {
  it('case 1: aborts the running calls of a service that hangs; decided records stay, the rest is CANCELLED', async () => {
    const project = await newProject()
    hangAfter(3)
    const handle = await bench.start(project.id, { options: { entriesPerTask: 2 } })
    await service.until(() => batches().filter((request) => !request.answered).length >= 3)
    await vi.waitFor(async () => expect((await countProject(db, project.id)).completed).toBe(6), {
      timeout: 20_000,
    })
    await handle.cancel()
    expect(await outcomeOf(handle)).toBe('cancelled')
    const sent = service.requests.length
    await service.until(() => service.openConnections() === 0 || service.abortedRequests() > 0)
    const counts = await countProject(db, project.id)
    expect(counts).toMatchObject({ completed: 6, cancelled: 34, failed: 0, queued: 0 })
    expect((await latestRun(db, project.id))?.status).toBe('cancelled')
    expect(service.requests.length).toBe(sent)

    service.respond(answerByName)
    expect(await outcomeOf(await bench.start(project.id))).toBe('completed')
    expect(await countProject(db, project.id)).toMatchObject({ completed: 40, cancelled: 0 })
  })

  it('case 2: in the moment that children are being started leaves none running and none failed', async () => {
    const project = await newProject()
    const handle = await bench.start(project.id, { options: { entriesPerTask: 1 } })
    await vi.waitFor(
      async () => expect((await handle.query(progressQuery)).tasksTotal).toBeGreaterThan(0),
      { timeout: 20_000, interval: 20 },
    )
    await handle.cancel()
    expect(await outcomeOf(handle)).toBe('cancelled')
    const counts = await countProject(db, project.id)
    expect(counts.failed + counts.queued).toBe(0)
    expect(counts.completed + counts.cancelled).toBe(40)
    const prefix = `match-project/${project.id}/run-1/`
    await vi.waitFor(
      async () => {
        const running = bench.client.workflow.list({
          query: `ExecutionStatus = 'Running' AND WorkflowId STARTS_WITH '${prefix}'`,
        })
        const left: string[] = []
        for await (const { workflowId } of running) left.push(workflowId)
        expect(left).toEqual([])
      },
      { timeout: 20_000 },
    )
  })
})

describe('a cancel that is noted before it has reached the tasks', () => {
  it('lets nothing be asked, as the next worker of one that died over it would', async () => {
    const project = await newProject()
    service.respond((request) =>
      request.queries === null ? manifestAnswer(request) : { status: 500, json: {} },
    )
    const handle = await bench.start(project.id, { options: { entriesPerTask: 40 } })
    await vi.waitFor(async () => expect(await lastFailure(project.id)).toBe('retry_later'), {
      timeout: 20_000,
    })
    await noteCancelRequested(db, handle.firstExecutionRunId)
    const sent = service.requests.length
    await vi.waitFor(async () => expect(await lastFailure(project.id)).toBe('run_cancelling'), {
      timeout: 30_000,
    })
    await handle.cancel()
    expect(await outcomeOf(handle)).toBe('cancelled')
    expect(service.requests.length).toBe(sent)
    expect(await countProject(db, project.id)).toMatchObject({ cancelled: 40, failed: 0 })
  })

  /** Of the first task's pending activity. */
  async function lastFailure(projectId: number): Promise<string | null | undefined> {
    const task = bench.client.workflow.getHandle(matchTaskId(projectId, 1, 1))
    const { raw } = await task.describe()
    return raw.pendingActivities?.[0]?.lastFailure?.applicationFailureInfo?.type
  }
})

describe('pause', () => {
  it('stops sending until the resume, and then finishes', async () => {
    const project = await newProject()
    const handle = await bench.start(project.id, { options: { entriesPerTask: 1 } })
    await service.until(() => batches().length > 2)
    await handle.signal(pauseSignal, { reason: 'by user' })
    await vi.waitFor(
      async () => expect((await latestRun(db, project.id))?.pausedReason).toBe('by user'),
      { timeout: 20_000 },
    )
    // What was on its way when the guard was set may still arrive.
    await vi.waitFor(async () => expect((await handle.query(progressQuery)).phase).toBe('paused'))
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const sent = service.requests.length
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    expect(service.requests.length).toBe(sent)
    await handle.signal(resumeSignal)
    expect(await outcomeOf(handle)).toBe('completed')
    expect((await countProject(db, project.id)).completed).toBe(40)
  })

  it('is read by the tasks in flight, and only a resume is told to them: a history has room for so many events', async () => {
    const project = await newProject()
    hangAfter(0)
    const handle = await bench.start(project.id, { options: { entriesPerTask: 20 } })
    await service.until(() => batches().length >= 2)
    for (let times = 0; times < 3; times += 1) {
      await handle.signal(pauseSignal, { reason: 'by user' })
      await handle.signal(resumeSignal)
    }
    const task = bench.client.workflow.getHandle(matchTaskId(project.id, 1, 1))
    const told = async () => (await signalsOf(task)).map(({ name }) => name)
    await vi.waitFor(async () => expect(await told()).toEqual(['resume', 'resume', 'resume']), {
      timeout: 20_000,
    })
    await handle.terminate('its calls hang')
  })

  it('comes by itself when the service turns us away, keeps the records, and goes on after a resume', async () => {
    const project = await newProject()
    service.respond((request) =>
      request.queries === null ? manifestAnswer(request) : { status: 401, json: {} },
    )
    const handle = await bench.start(project.id, { options: { entriesPerTask: 5 } })
    await vi.waitFor(
      async () => expect((await latestRun(db, project.id))?.pausedReason).toContain('unauthorised'),
      { timeout: 20_000 },
    )
    expect(await countProject(db, project.id)).toMatchObject({ queued: 40, failed: 0 })
    service.respond(answerByName)
    await handle.signal(resumeSignal)
    expect(await outcomeOf(handle)).toBe('completed')
    expect((await countProject(db, project.id)).completed).toBe(40)
  })
})

describe('a task', () => {
  it('that is terminated by hand is FAILED terminated, and the run goes on', async () => {
    const project = await newProject()
    hangAfter(0)
    const handle = await bench.start(project.id, { options: { entriesPerTask: 20 } })
    await service.until(() => batches().filter((request) => !request.answered).length >= 2)
    await bench.client.workflow
      .getHandle(`match-project/${project.id}/run-1/task-1`)
      .terminate('by hand')
    await vi.waitFor(async () => expect((await countProject(db, project.id)).failed).toBe(20), {
      timeout: 20_000,
    })
    service.respond(answerByName)
    await handle.cancel()
    await outcomeOf(handle)
    const failed = await db
      .selectFrom('result')
      .where('project_id', '=', project.id)
      .where('match_status', '=', 'failed')
      .select('error_code')
      .distinct()
      .execute()
    expect(failed).toEqual([{ error_code: 'terminated' }])
    await (await bench.start(project.id, { options: { retryFailed: true } })).result()
    expect((await countProject(db, project.id)).completed).toBe(40)
  })

  it('shares a lookup with another task, and it is asked once', async () => {
    const records = Array.from({ length: 12 }, (_, index) => ({ id: `r${index}`, name: 'Berlin' }))
    const project = await createTestProject(db, server.ownAddress(), records, withMapping)
    await (await bench.start(project.id, { options: { entriesPerTask: 1 } })).result()
    expect(batches().length).toBe(1)
    expect((await countProject(db, project.id)).matched).toBe(12)
  })
})

describe('a run that was terminated', () => {
  it('leaves nothing stuck: the next start closes it and takes its records up', async () => {
    const project = await newProject()
    hangAfter(1)
    const handle = await bench.start(project.id, { options: { entriesPerTask: 5 } })
    await service.until(() => batches().filter((request) => !request.answered).length >= 2)
    await handle.terminate('by hand')
    service.respond(answerByName)
    await (await bench.start(project.id)).result()
    expect((await countProject(db, project.id)).completed).toBe(40)
    const statuses = await db
      .selectFrom('run')
      .where('project_id', '=', project.id)
      .orderBy('number')
      .select('status')
      .execute()
    expect(statuses.map(({ status }) => status)).toEqual(['terminated', 'completed'])
  })
})
