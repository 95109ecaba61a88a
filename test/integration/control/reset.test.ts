/** What "reset" of the Temporal UI does to a run that runs and to one that is over. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reconciledRun } from '../../../src/client/match/reconcile-run.ts'
import type { Db } from '../../../src/db/connect.ts'
import { keepEndAction } from '../../../src/db/end-actions.repo.ts'
import { countProject } from '../../../src/db/run-progress.repo.ts'
import { answerByName, type FakeService } from '../../support/fake-reconciliation-service.ts'
import type { MatchBench } from '../../support/match-bench.ts'
import { reviseSettings } from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'
import { createUiScene, twoEach, type UiScene } from '../../support/ui-scene.ts'

let server: MatchServer
let bench: MatchBench
let db: Db
let service: FakeService
let scene: UiScene
beforeAll(async () => {
  // A task that a reset keeps waits for its call; this is how long one that hangs takes.
  server = await startMatchServer({ timeouts: { headersMs: 10_000 } })
  ;({ bench, service } = server)
  db = bench.db
  scene = createUiScene(server)
})
afterAll(() => server.close())

describe('reset in the Temporal UI', () => {
  it.each(['first', 'last'] as const)(
    'of a running run to its %s task goes on with the same run, and asks nothing answered again',
    async (to) => {
      const { id } = await scene.newProject()
      scene.hangAfter(3)
      const handle = await bench.start(id, twoEach)
      await scene.untilHanging()
      await scene.untilCompleted(id, 6)
      const answered = new Set(
        scene
          .batches()
          .filter((one) => one.answered)
          .flatMap(({ queries }) => Object.values(queries ?? {}).map(({ query }) => query)),
      )
      const before = scene.batches().length
      service.respond(answerByName)
      const again = await scene.reset(handle, to)
      await again.result()
      await scene.expectDone(id)
      expect((await scene.rowsOf(id)).runs).toEqual(['completed'])
      const askedAfter = scene
        .batches()
        .slice(before)
        .flatMap(({ queries }) => Object.values(queries ?? {}).map(({ query }) => query))
      expect(askedAfter.filter((name) => answered.has(name))).toEqual([])
    },
  )

  it.each(['first', 'last'] as const)(
    'of a finished run to its %s task changes nothing, asks nothing, and does not do its end again',
    async (to) => {
      const { id } = await scene.newProject()
      const end = { command: { line: 'true', folder: '/' }, webhook: null }
      const endActionId = await keepEndAction(db, id, end)
      const handle = await bench.start(id, { options: { entriesPerTask: 2, endActionId } })
      await handle.result()
      await scene.untilNothingRuns(id)
      const before = await scene.rowsOf(id)
      const ends = await db.selectFrom('run_end_action').selectAll().execute()
      const asked = scene.batches().length
      await (await scene.reset(handle, to)).result()
      await scene.expectDone(id)
      expect(await scene.rowsOf(id)).toEqual(before)
      expect(scene.batches().length).toBe(asked)
      expect(await db.selectFrom('run_end_action').selectAll().execute()).toEqual(ends)
    },
  )

  it('of a cancelled run leaves its records to the next start', async () => {
    const { id } = await scene.newProject()
    scene.hangAfter(2)
    const handle = await bench.start(id, twoEach)
    await scene.untilHanging()
    await scene.untilCompleted(id, 4)
    await handle.cancel()
    await handle.result().catch(() => undefined)
    service.respond(answerByName)
    const again = await scene.reset(handle, 'first')
    await again.result().catch(() => undefined)
    await scene.untilNothingRuns(id)
    expect(await countProject(db, id)).toMatchObject({ completed: 4, cancelled: 16, queued: 0 })
    await (await bench.start(id, twoEach)).result()
    await scene.expectDone(id)
  })

  it('of an older run ends the one that runs, and the next start takes up what that left', async () => {
    const project = await scene.newProject()
    const { id } = project
    const first = await bench.start(id, twoEach)
    await first.result()
    const firstRunId = (await first.describe()).runId
    await reviseSettings(db, project, { limit: 7 })
    scene.hangAfter(2)
    await bench.start(id, { ...twoEach, settingsRevision: 2 })
    await scene.untilHanging()
    service.respond(answerByName)
    await (await scene.reset(first, 'first', firstRunId)).result()
    await scene.untilNothingRuns(id)
    expect((await reconciledRun(bench.client, db, id))?.status).toBe('terminated')
    await (await bench.start(id, { ...twoEach, settingsRevision: 2 })).result()
    await scene.expectDone(id)
    expect((await scene.rowsOf(id)).runs).toEqual(['completed', 'terminated', 'completed'])
  })
})
