/**
 * What the buttons "cancel" and "terminate" of the Temporal UI do to a run, as raw calls. Whatever is pressed, rows are
 * consistent: at most one run is open, and the next start does what is left.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { reconciledRun } from '../../../src/client/match/reconcile-run.ts'
import type { Db } from '../../../src/db/connect.ts'
import { countProject } from '../../../src/db/run-progress.repo.ts'
import { answerByName, type FakeService } from '../../support/fake-reconciliation-service.ts'
import type { MatchBench } from '../../support/match-bench.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'
import { createUiScene, twoEach, type UiScene } from '../../support/ui-scene.ts'

let server: MatchServer
let bench: MatchBench
let db: Db
let service: FakeService
let scene: UiScene
beforeAll(async () => {
  // How long a call that hangs keeps the task that made it.
  server = await startMatchServer({ timeouts: { headersMs: 10_000 } })
  ;({ bench, service } = server)
  db = bench.db
  scene = createUiScene(server)
})
afterAll(() => server.close())

describe('cancel in the Temporal UI', () => {
  it('is the cancel of the command line: decided records stay, the rest is CANCELLED', async () => {
    const { id } = await scene.newProject()
    scene.hangAfter(2)
    const handle = await bench.start(id, twoEach)
    await scene.untilHanging()
    await scene.untilCompleted(id, 4)
    await scene.cancel(handle.workflowId)
    await expect(handle.result()).rejects.toThrow('cancelled')
    await scene.untilNothingRuns(id)
    expect(await countProject(db, id)).toMatchObject({ completed: 4, cancelled: 16, queued: 0 })
    service.respond(answerByName)
    await (await bench.start(id, twoEach)).result()
    await scene.expectDone(id)
    expect((await scene.rowsOf(id)).runs).toEqual(['cancelled', 'completed'])
  })

  it('of one task fails that task, retryable, and the run goes on', async () => {
    const { id } = await scene.newProject()
    scene.hangAfter(9)
    const handle = await bench.start(id, twoEach)
    await scene.untilCompleted(id, 18)
    for (const task of await scene.openTasks(id, 'open')) {
      await scene.cancel(`${handle.workflowId}/run-1/task-${task}`)
    }
    await handle.result()
    expect(await countProject(db, id)).toMatchObject({ completed: 18, failed: 2, queued: 0 })
    service.respond(answerByName)
    await (await bench.start(id, { options: { retryFailed: true } })).result()
    await scene.expectDone(id)
  })
})

describe('terminate in the Temporal UI', () => {
  it('of a run ends its tasks too; the next look closes it, the next start takes up the rest', async () => {
    const { id } = await scene.newProject()
    scene.hangAfter(2)
    const handle = await bench.start(id, twoEach)
    await scene.untilHanging()
    await scene.untilCompleted(id, 4)
    await scene.terminate(handle.workflowId)
    await scene.untilNothingRuns(id)
    const sent = service.requests.length
    expect((await reconciledRun(bench.client, db, id))?.status).toBe('terminated')
    expect(await countProject(db, id)).toMatchObject({ completed: 4, queued: 16 })
    expect(service.requests.length).toBe(sent)
    service.respond(answerByName)
    await (await bench.start(id, twoEach)).result()
    await scene.expectDone(id)
  })

  it('of a shard fails what it left, retryable, and the other shards go on', async () => {
    const { id } = await scene.newProject()
    scene.hangAfter(0)
    const handle = await bench.start(id, {
      options: { entriesPerTask: 1 },
      sizes: { tasksPerShard: 10, shardsInFlight: 2, shardsPerExecution: 9, window: 8 },
    })
    await scene.untilHanging()
    await scene.terminate(`${handle.workflowId}/run-1/shard-0`)
    await vi.waitFor(async () => expect((await countProject(db, id)).failed).toBe(10), {
      timeout: 30_000,
    })
    service.respond(answerByName)
    await handle.terminate('its other calls hang')
    await (await bench.start(id, { options: { retryFailed: true } })).result()
    await scene.expectDone(id)
  })
})
