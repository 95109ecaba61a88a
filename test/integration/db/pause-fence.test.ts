import { afterAll, beforeAll, expect, it } from 'vitest'
import { defaultRunOptions } from '../../../src/core/run.ts'
import { connectDatabase, type Db } from '../../../src/db/connect.ts'
import { movePause } from '../../../src/db/pause-fence.ts'
import { runStanding } from '../../../src/db/run-progress.repo.ts'
import { closeRun, openRun } from '../../../src/db/runs.repo.ts'
import { createTestProject } from '../../support/match-project-rows.ts'
import { createTempDatabase, type TempDatabase } from '../../support/temp-database.ts'

let database: TempDatabase
let db: Db
let runId: number
beforeAll(async () => {
  database = await createTempDatabase()
  db = connectDatabase(database.url)
  const { id: projectId } = await createTestProject(db, 'sample', [{ id: 'a', name: 'A' }])
  const run = await openRun(db, {
    projectId,
    workflowId: `match-project/${projectId}`,
    temporalRunId: 'of-the-test',
    settingsRevision: 1,
    options: defaultRunOptions,
  })
  runId = run.id
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const standing = async () => {
  const { pausedReason, pausedSince } = await runStanding(db, runId)
  return [pausedReason, pausedSince?.getTime() ?? null]
}

it('a pause says since when, and a resume ends it', async () => {
  expect(await standing()).toEqual([null, null])
  await movePause(db, 'run', { runId, reason: 'by user', atMs: 1_000 })
  expect(await standing()).toEqual(['by user', 1_000])
  await movePause(db, 'run', { runId, reason: null, atMs: 2_000 })
  expect(await standing()).toEqual([null, null])
})

it('an attempt to pause that was frozen meanwhile changes nothing, nor does one to resume', async () => {
  await movePause(db, 'run', { runId, reason: 'by user', atMs: 1_500 })
  expect(await standing()).toEqual([null, null])
  await movePause(db, 'run', { runId, reason: 'unauthorised', atMs: 3_000 })
  await movePause(db, 'run', { runId, reason: null, atMs: 2_500 })
  expect(await standing()).toEqual(['unauthorised', 3_000])
  // The same attempt once more.
  await movePause(db, 'run', { runId, reason: 'unauthorised', atMs: 3_000 })
  expect(await standing()).toEqual(['unauthorised', 3_000])
})

it('a workflow that began with an older version tells no moment, and is obeyed', async () => {
  await movePause(db, 'run', { runId, reason: null })
  expect(await standing()).toEqual([null, null])
})

it('a run that is over is not paused any more', async () => {
  await closeRun(db, runId, { status: 'completed' })
  await movePause(db, 'run', { runId, reason: 'by user' })
  expect(await standing()).toEqual([null, null])
})
