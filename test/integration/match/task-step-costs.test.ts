/**
 * What is done for a task reads the rows of the task, not of all tasks before it, also while PostgreSQL believes the table of the
 * plan's time, in which nothing was decided: else each task of a run costs more than the one before.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultRunOptions } from '../../../src/core/run.ts'
import { connectDatabase, type Db } from '../../../src/db/connect.ts'
import { claimLookups } from '../../../src/db/lookups.repo.ts'
import { findProject } from '../../../src/db/projects.repo.ts'
import { writeRunLookups } from '../../../src/db/run-lookups.ts'
import { queueDueSubjects } from '../../../src/db/run-queue.ts'
import { assignTasks } from '../../../src/db/run-tasks.ts'
import { openRun } from '../../../src/db/runs.repo.ts'
import { refreshSubjects } from '../../../src/db/subject-refresh.ts'
import { beginDeciding } from '../../../src/db/task-marker.repo.ts'
import { takePage, taskPlaces, takeQuickPage } from '../../../src/db/task-page.repo.ts'
import type { TaskKey } from '../../../src/db/task-subjects.repo.ts'
import { createTestProject } from '../../support/match-project-rows.ts'
import { createTempDatabase, type TempDatabase } from '../../support/temp-database.ts'

const RECORDS = 12_000
const PER_TASK = 20
/** Each record may be looked up once by each part of a statement. */
const MOST_READ = 5 * PER_TASK
const unknownPace = { batchSize: PER_TASK, latencyMs: null, ratePerS: null, window: 1 }

let database: TempDatabase
/** One connection: what it has read is told to the server with `pg_stat_force_next_flush`. */
let db: Db
let key: TaskKey
beforeAll(async () => {
  database = await createTempDatabase()
  db = connectDatabase(database.url, { maxConnections: 1 })
  const mapping = { name: 'name', variants: [], properties: [] }
  const project = await createTestProject(db, 'http://127.0.0.1:1/reconcile', [], { mapping })
  await sql`
    insert into entry (dataset_id, external_id, position, source, source_hash)
    select ${project.datasetId}::bigint, 'r' || n, n, jsonb_build_object('name', 'Name ' || n), sha256(n::text::bytea)
    from generate_series(1, ${RECORDS}::integer) as n`.execute(db)
  const known = await findProject(db, project.id)
  if (known === undefined) throw new Error('expected the project')
  await refreshSubjects(db, known)
  const options = defaultRunOptions
  const ids = { workflowId: 'w', temporalRunId: 'costs' }
  const run = await openRun(db, { projectId: project.id, settingsRevision: 1, options, ...ids })
  await queueDueSubjects(
    db,
    { projectId: project.id, revision: 1, runId: run.id, options },
    options,
  )
  await writeRunLookups(db, { id: run.id, settings: known.settings }, () => undefined)
  const sizing = { pace: unknownPace, entriesPerTask: PER_TASK }
  const { first, count } = await assignTasks(db, { id: run.id, round: 0 }, sizing)
  key = { runId: run.id, task: first + count - 1 }
  // No automatic look at the table meanwhile: as in the first minute of a run.
  await sql`alter table subject set (autovacuum_enabled = false)`.execute(db)
  await sql`
    update subject set status = 'COMPLETED', outcome = 'no_candidate'
    where run_id = ${run.id}::bigint and task_number <> ${key.task}::integer`.execute(db)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

/** Rows of `subject` that it reads. */
async function readBy(step: () => Promise<unknown>): Promise<number> {
  const before = await rowsRead()
  await step()
  return (await rowsRead()) - before
}

async function rowsRead(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<{ read: number }>`
    select (seq_tup_read + idx_tup_fetch) as read from pg_stat_user_tables where relname = 'subject'`.execute(
    db,
  )
  return rows[0]?.read ?? NaN
}

describe('a task among many that are done reads its own records', () => {
  it.each([
    ['to claim what it asks', () => claimLookups(db, key, 0)],
    ['to begin to decide', () => beginDeciding(db, key)],
    ['to find their places', () => taskPlaces(db, key)],
    [
      'to take a page',
      async () => takePage(db, key, { places: await taskPlaces(db, key), settingsRevision: 1 }),
    ],
    ['to take all at once', () => takeQuickPage(db, key, { pageSize: 500, settingsRevision: 1 })],
  ])('%s', async (_, step) => {
    const read = await readBy(step)
    expect(read).toBeGreaterThan(0)
    expect(read).toBeLessThanOrEqual(MOST_READ)
  })
})

it('claims all questions of a task, in the order of its records', async () => {
  const { claimed, askedElsewhere } = await claimLookups(db, key, 0)
  const names = claimed.map(({ query }) => Number(query.query.replace('Name ', '')))
  expect(names).toHaveLength(PER_TASK)
  expect(names).toEqual(names.toSorted((a, b) => a - b))
  expect(askedElsewhere).toBe(0)
})

describe('a record that somebody takes away meanwhile', () => {
  it('is not in the page of its place', async () => {
    const places = await taskPlaces(db, key)
    const [gone, ...others] = places.map(({ subjectId }) => subjectId)
    await sql`update subject set status = 'CANCELLED' where id = ${gone}::bigint`.execute(db)
    const page = await takePage(db, key, { places, settingsRevision: 1 })
    expect(page.map(({ subjectId }) => subjectId)).toEqual(others)
  })

  it('stays as it was left, though it was judged and queued when the task began to be decided', async () => {
    const [first] = await taskPlaces(db, key)
    const id = first?.subjectId
    await sql`update subject set outcome = 'matched' where id = ${id}::bigint`.execute(db)
    await sql`
      insert into judgment (subject_id, verdict, external_id, judged_by, match_hash)
      select id, 'match', 'Q1', 'Ann', match_hash from subject where id = ${id}::bigint`.execute(db)
    const other = connectDatabase(database.url, { maxConnections: 1 })
    try {
      const begun = await other.transaction().execute(async (tx) => {
        await sql`update subject set status = 'CANCELLED' where id = ${id}::bigint`.execute(tx)
        const beginning = beginDeciding(db, key)
        await untilOneWaits(tx)
        return { beginning }
      })
      await begun.beginning
    } finally {
      await other.destroy()
    }
    const { rows } = await sql`select status from subject where id = ${id}::bigint`.execute(db)
    expect(rows).toEqual([{ status: 'CANCELLED' }])
  })
})

async function untilOneWaits(tx: Db): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      tx,
    )
    if (rows.length > 0) return
    await sql`select pg_stat_clear_snapshot(), pg_sleep(0.01)`.execute(tx)
  }
}
