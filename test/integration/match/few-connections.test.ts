/** Nobody who holds a connection to the database waits for another one: a worker with the fewest stands still never. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { previewRescore } from '../../../src/client/match/rescore-preview.ts'
import { defaultRunOptions } from '../../../src/core/run.ts'
import { connectDatabase, type Db } from '../../../src/db/connect.ts'
import { bringEarlierJudgments } from '../../../src/db/earlier-judgments.repo.ts'
import { findProject, type Project } from '../../../src/db/projects.repo.ts'
import { countProject } from '../../../src/db/run-progress.repo.ts'
import { queueDueSubjects } from '../../../src/db/run-queue.ts'
import { assignTasks } from '../../../src/db/run-tasks.ts'
import { latestRun, openRun, type Run } from '../../../src/db/runs.repo.ts'
import { refreshSubjects } from '../../../src/db/subject-refresh.ts'
import { cancelQueuedSubjects } from '../../../src/db/task-subjects.repo.ts'
import { answerByName, manifestAnswer } from '../../support/fake-reconciliation-service.ts'
import { createTestProject } from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'
import { createTempDatabase, type TempDatabase } from '../../support/temp-database.ts'

const mapping = { name: 'name', variants: [], properties: [] }
const records = Array.from({ length: 30 }, (_, n) => ({ id: `r${n}`, name: `Name ${n}` }))
const PROJECTS = 8
const PAGE = { rows: 10, onPage: () => undefined }
const pace = { batchSize: 5, latencyMs: null, ratePerS: null, window: 24 }

async function projectOf(db: Db, id: number): Promise<Project> {
  const project = await findProject(db, id)
  if (project === undefined) throw new Error('expected the project')
  return project
}

describe('as many projects at once as there are connections, and more', () => {
  let database: TempDatabase
  let db: Db
  beforeAll(async () => {
    database = await createTempDatabase()
    db = connectDatabase(database.url, { maxConnections: 2 })
  })
  afterAll(async () => {
    await db.destroy()
    await database.drop()
  })

  it('are planned, dealt and cancelled to the end', { timeout: 60_000 }, async () => {
    const runs: Run[] = []
    for (let n = 0; n < PROJECTS; n++) runs.push(await openedRun())
    await all(runs, ({ id: runId, projectId, options }) =>
      queueDueSubjects(db, { projectId, revision: 1, runId, options }, options, PAGE),
    )
    // One stays as it is: records without a task are cancelled too.
    await all(runs.slice(1), ({ id }) =>
      assignTasks(db, { id, round: 0 }, { pace, entriesPerTask: 4 }, PAGE),
    )
    await all(runs, ({ id }) => cancelQueuedSubjects(db, id, PAGE))
    for (const { projectId } of runs) {
      expect(await countProject(db, projectId)).toMatchObject({ cancelled: 30, queued: 0 })
    }
  })

  it('leave no lock behind in the connections', async () => {
    const { rows } = await sql`
      select pid from pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())`.execute(db)
    expect(rows).toEqual([])
  })

  async function openedRun(): Promise<Run> {
    const { id } = await createTestProject(db, 'http://127.0.0.1:1/reconcile', records, { mapping })
    const project = await projectOf(db, id)
    await refreshSubjects(db, project)
    return openRun(db, {
      projectId: id,
      workflowId: 'w',
      temporalRunId: `few-${id}`,
      settingsRevision: 1,
      options: defaultRunOptions,
    })
  }

  /** @throws after a time in which it is over many times: who waits for a connection has no limit of its own. */
  async function all(runs: readonly Run[], work: (run: Run) => Promise<unknown>): Promise<void> {
    const tooLong = sleep(10_000).then(() => Promise.reject(new Error('they wait for each other')))
    await Promise.race([Promise.all(runs.map(work)), tooLong])
  }
})

describe('one connection', () => {
  let database: TempDatabase
  let db: Db
  beforeAll(async () => {
    database = await createTempDatabase()
    db = connectDatabase(database.url, { maxConnections: 1 })
  })
  afterAll(async () => {
    await db.destroy()
    await database.drop()
  })

  it('is enough for a column of earlier matches', { timeout: 20_000 }, async () => {
    const earlier = { column: 'item', use: 'judge' as const }
    const cells = records.map((record, n) => ({ ...record, item: `Q${n + 1}` }))
    const { id } = await createTestProject(db, 'http://127.0.0.1:1/reconcile', cells, {
      mapping: { ...mapping, earlier },
    })
    const project = await projectOf(db, id)
    await refreshSubjects(db, project)
    expect(await bringEarlierJudgments(db, project)).toMatchObject({ written: 30, unreadable: 0 })
    expect(await bringEarlierJudgments(db, project)).toMatchObject({ written: 0, unchanged: 30 })
  })
})

describe('a worker whose activities have one connection', () => {
  let server: MatchServer
  beforeAll(async () => {
    server = await startMatchServer({ dbConnections: 1 })
  })
  afterAll(() => server.close())

  it(
    'matches a project, looks at it again and cancels two others',
    { timeout: 120_000 },
    async () => {
      const { bench, service } = server
      const newProject = () =>
        createTestProject(bench.db, server.ownAddress(), records, { mapping })
      const matched = await newProject()
      await (await bench.start(matched.id)).result()
      expect(await countProject(bench.db, matched.id)).toMatchObject({ completed: 30 })
      // Shows what another decision would be, from what is stored.
      const rescored = await previewRescore(bench.db, await projectOf(bench.db, matched.id))
      expect(rescored).toMatchObject({ unchanged: 30, unanswered: 0 })

      service.respond((request) =>
        request.queries === null ? manifestAnswer(request) : { hang: 'before_headers' },
      )
      const projects = [await newProject(), await newProject()]
      const runs = await Promise.all(projects.map(({ id }) => bench.start(id)))
      await service.until(
        () => service.requests.filter(({ answered }) => !answered).length >= projects.length,
      )
      await Promise.all(runs.map((run) => run.cancel()))
      await Promise.all(runs.map((run) => run.result().catch(() => undefined)))
      for (const { id } of projects) {
        expect((await latestRun(bench.db, id))?.status).toBe('cancelled')
        expect(await countProject(bench.db, id)).toMatchObject({ cancelled: 30, queued: 0 })
      }
      service.respond(answerByName)
    },
  )
})
