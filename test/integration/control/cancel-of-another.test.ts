/** A cancel that is held up while its run ends and the next one begins is of the run it was meant for, and of no other. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { askToCancelQueue } from '../../../src/client/download/run-queue.ts'
import { askToCancelExtraction } from '../../../src/client/extract/control-extraction.ts'
import { reconciledExtraction } from '../../../src/client/extract/reconcile-extraction.ts'
import { reopenExtraction } from '../../../src/client/extract/resume-extraction.ts'
import { beginExtraction } from '../../../src/client/extract/start-extraction.ts'
import { askToCancel } from '../../../src/client/match/control-match.ts'
import { stopWorkflow } from '../../../src/client/match/stop-workflow.ts'
import { matchProjectId } from '../../../src/core/workflow-ids.ts'
import { findQueue } from '../../../src/db/download-queues.repo.ts'
import { findExtractRun } from '../../../src/db/extract-runs.repo.ts'
import { countProject } from '../../../src/db/run-progress.repo.ts'
import { findRunByExecution } from '../../../src/db/runs.repo.ts'
import { answerByName, manifestAnswer } from '../../support/fake-reconciliation-service.ts'
import { countedItems, startFakeSource } from '../../support/fake-source.ts'
import { heldClient } from '../../support/held-command.ts'
import { holdListsFrom } from '../../support/held-lists.ts'
import type { MatchBenchHandle } from '../../support/match-bench.ts'
import { createTestProject } from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'
import { openQueue } from '../download/queue-site.ts'
import { begin, wantedRun } from '../extract/extraction.ts'

let server: MatchServer
beforeAll(async () => {
  server = await startMatchServer({ random: () => 0 })
})
afterAll(() => server.close())

const records = Array.from({ length: 12 }, (_, n) => ({ id: `r${n}`, name: `Name ${n}` }))
const withMapping = { mapping: { name: 'name', variants: [], properties: [] } }
const allDecided = { completed: 12, cancelled: 0, queued: 0 }
const ended = (handle: { result: () => Promise<unknown> }) => handle.result().catch(() => undefined)

describe('the cancel of a match', () => {
  it('that is noted late is not noted of the next run', async () => {
    const { project, first, next } = await waitingMatch()
    const client = heldClient(server.bench.client, 'cancel', async () => {
      await ended(first)
      await next.begin()
    })
    await askToCancel({ client, db: server.bench.db }, project)
    expect(await next.counts()).toMatchObject(allDecided)
  })

  it('that comes late does not reach the next run', async () => {
    const { project, first, next } = await waitingMatch()
    const client = heldClient(server.bench.client, 'describe', async () => {
      await first.cancel()
      await ended(first)
      await next.begin()
    })
    await expect(askToCancel({ client, db: server.bench.db }, project)).rejects.toMatchObject({
      code: 'no_open_run',
    })
    expect(await next.counts()).toMatchObject(allDecided)
  })

  it('is followed to its own end, not to that of the next run', async () => {
    const { project, first, next } = await waitingMatch()
    const handle = await askToCancel(server.bench, project)
    await ended(first)
    await next.begin()
    const end = await Promise.race([ended(handle).then(() => 'over'), sleep(10_000, 'waits')])
    expect(end).toBe('over')
    expect(await next.counts()).toMatchObject(allDecided)
  })
})

it('whatever else is stopped by its id is not stopped in its next execution', async () => {
  const { project, first, next } = await waitingMatch()
  const client = heldClient(server.bench.client, 'describe', async () => {
    await first.cancel()
    await ended(first)
    await next.begin()
  })
  expect(await stopWorkflow(client, matchProjectId(project))).toBe(false)
  expect(await next.counts()).toMatchObject(allDecided)
})

it('the cancel of an extraction that is noted late is not noted of one that was resumed since', async () => {
  const { client, db, taskQueue } = server.bench
  const source = await startFakeSource({ items: countedItems(95) })
  try {
    const held = holdListsFrom(source, 3)
    const config = { batchSize: 10, workers: 3 }
    const { runId, handle } = await begin(
      server,
      wantedRun({ profile: source.profile('offset'), config }),
    )
    await source.service.until(() => source.listRequests().length >= 3)
    let resumed: { result: () => Promise<unknown> } | undefined
    const late = heldClient(client, 'cancel', async () => {
      await ended(handle)
      await reopenExtraction(db, await reconciledExtraction(client, db, runId))
      resumed = await beginExtraction(client, runId, taskQueue)
      await vi.waitFor(
        async () => expect((await findExtractRun(db, runId))?.temporalRunId).toBeTypeOf('string'),
        { timeout: 20_000 },
      )
    })
    await askToCancelExtraction({ client: late, db }, runId)
    expect((await findExtractRun(db, runId))?.isCancelRequested).toBe(false)
    held.letGo()
    await resumed?.result()
    expect((await findExtractRun(db, runId))?.status).toBe('completed')
  } finally {
    await source.close()
  }
})

it('the cancel of a queue that comes late does not reach its next dispatcher', async () => {
  const { client, db } = server.bench
  const queue = await openQueue(server)
  const begun = async () => {
    const dispatcher = await queue.run({ drain: false })
    await vi.waitFor(
      async () =>
        expect(await findQueue(db, queue.name)).toMatchObject({
          temporalRunId: dispatcher.firstExecutionRunId,
        }),
      { timeout: 20_000, interval: 50 },
    )
    return dispatcher
  }
  const first = await begun()
  let next = first
  const late = heldClient(client, 'describe', async () => {
    await first.cancel()
    await ended(first)
    next = await begun()
  })
  expect(await askToCancelQueue({ client: late, db }, queue.name)).toBeUndefined()
  expect(await findQueue(db, queue.name)).toMatchObject({ isCancelRequested: false })
  expect((await next.describe()).status.name).toBe('RUNNING')
  expect(await askToCancelQueue({ client, db }, queue.name)).toBeDefined()
  await expect(next.result()).rejects.toThrow('cancelled')
})

/** A match that is told to wait, and the one after it. */
async function waitingMatch() {
  const { bench, service } = server
  const { id } = await createTestProject(bench.db, server.ownAddress(), records, withMapping)
  service.respond((request) =>
    request.queries === null
      ? manifestAnswer(request)
      : { status: 429, headers: { 'retry-after': '1' } },
  )
  const first = await opened(await bench.start(id))
  let second: MatchBenchHandle | undefined
  const next = {
    async begin() {
      second = await opened(await bench.start(id))
    },
    /** Of its end, after it was left alone and got its answers. */
    async counts() {
      if (second === undefined) throw new Error('expected it to have begun')
      const run = await findRunByExecution(bench.db, second.firstExecutionRunId)
      expect(run).toMatchObject({ status: 'open', isCancelRequested: false })
      service.respond(answerByName)
      await second.result()
      return countProject(bench.db, id)
    },
  }
  return { project: id, first, next }
}

async function opened(handle: MatchBenchHandle): Promise<MatchBenchHandle> {
  await vi.waitFor(
    async () =>
      expect(await findRunByExecution(server.bench.db, handle.firstExecutionRunId)).toBeDefined(),
    { timeout: 20_000, interval: 50 },
  )
  return handle
}
