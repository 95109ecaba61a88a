/** A project is loaded beside runs of the same service: they record their answers, and neither waits for the other's end. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dumpProject } from '../../../src/client/dump/dump-project.ts'
import { loadProject } from '../../../src/client/dump/load-project.ts'
import { fileSink } from '../../../src/client/text-sink.ts'
import { connectDatabase, type Db } from '../../../src/db/connect.ts'
import { storeAnswers } from '../../../src/db/lookups.repo.ts'
import { findProject } from '../../../src/db/projects.repo.ts'
import { queueDueSubjects } from '../../../src/db/run-queue.ts'
import { repeatUndone } from '../../../src/db/repeat-undone.ts'
import { writeRunLookups } from '../../../src/db/run-lookups.ts'
import { openRun, closeRun } from '../../../src/db/runs.repo.ts'
import { refreshSubjects } from '../../../src/db/subject-refresh.ts'
import { defaultRunOptions } from '../../../src/core/run.ts'
import { forgetUnusedAnswers } from '../../../src/db/unused-answers.repo.ts'
import { createTestProject } from '../../support/match-project-rows.ts'
import { createTempDatabase, type TempDatabase } from '../../support/temp-database.ts'

/** Several pages of a load. */
const RECORDS = 2_500
/** As one request brings them. */
const BATCH_SIZE = 50

let database: TempDatabase
let db: Db
const folder = mkdtempSync(join(tmpdir(), 'record-linker-load-'))
const file = join(folder, 'project.jsonl')

beforeAll(async () => {
  database = await createTempDatabase()
  db = connectDatabase(database.url)
  const records = Array.from({ length: RECORDS }, (_, n) => ({ id: `r${n}`, name: `Brand ${n}` }))
  const { id, settings } = await createTestProject(db, 'http://service.test/', records)
  const project = await findProject(db, id)
  if (project === undefined) throw new Error('expected the project')
  await refreshSubjects(db, project)
  const run = await openRun(db, {
    projectId: id,
    workflowId: `match-${id}`,
    temporalRunId: 'of-the-test',
    settingsRevision: 1,
    options: defaultRunOptions,
  })
  const question = { projectId: id, revision: 1, runId: run.id, options: defaultRunOptions }
  await queueDueSubjects(db, question, defaultRunOptions)
  await writeRunLookups(db, { id: run.id, settings }, () => undefined)
  await answerAll(await lookupIds())
  await closeRun(db, run.id, { status: 'completed' })
  const sink = await fileSink(file)
  await dumpProject(db, project, sink)
  await sink.finish()
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

it('answers are recorded while it is loaded, of whichever records', async () => {
  const ids = await lookupIds()
  expect(ids).toHaveLength(RECORDS)
  let isLoading = true
  let recordedMeanwhile = 0
  const record = async (step: number) => {
    // Each request has records of all pages of the load.
    const mixed = ids.map((_, at) => ids[(at * step) % RECORDS] ?? 0)
    for (let from = 0; isLoading; from = (from + BATCH_SIZE) % RECORDS) {
      await answerAll(mixed.slice(from, from + BATCH_SIZE))
      if (isLoading) recordedMeanwhile += 1
    }
  }
  const recording = Promise.all([501, 977, 1503, 2001].map(record))
  // Looked at below.
  recording.catch(() => undefined)
  try {
    for (const name of ['first', 'second']) {
      const { rows } = await loadProject(db, file, name)
      expect(rows).toMatchObject({ entry: RECORDS, answer: RECORDS, question: RECORDS })
    }
  } finally {
    isLoading = false
  }
  await recording
  // Each of the four would get one in where it had to wait for the end of a load.
  expect(recordedMeanwhile).toBeGreaterThan(10)
})

it('loses no load where both wait for each other', async () => {
  // Of its first page, which it writes in this order.
  const { rows } = await sql<{ id: number }>`
    select id from (select * from lookup order by id limit 400) l order by service, key_hash`.execute(
    db,
  )
  const [low, high] = [rows[0]?.id ?? 0, rows.at(-1)?.id ?? 0]
  const touch = (tx: Db, id: number) =>
    sql`update lookup set attempts = attempts where id = ${id}::bigint`.execute(tx)
  let loading: Promise<unknown> = Promise.resolve()
  // The wrong way round: the load has the lower one when it waits for the higher one.
  await db.transaction().execute(async (tx) => {
    // So that it is the load which finds out, and is undone.
    await sql`set local deadlock_timeout = '60s'`.execute(tx)
    await touch(tx, high)
    loading = loadProject(db, file, 'third')
    // Looked at below.
    loading.catch(() => undefined)
    await untilSomebodyWaits()
    await touch(tx, low)
  })
  expect(await loading).toMatchObject({ rows: { question: RECORDS } })
})

it('answers that nobody used are not forgotten while it takes them up', async () => {
  let isLoading = true
  const forgetting = (async () => {
    while (isLoading) await forgetUnusedAnswers(db)
  })()
  await db.deleteFrom('project').execute()
  try {
    await loadProject(db, file, 'fourth')
  } finally {
    isLoading = false
  }
  await forgetting
  expect(await lookupIds()).toHaveLength(RECORDS)
})

async function lookupIds(): Promise<readonly number[]> {
  const rows = await db.selectFrom('lookup').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

async function answerAll(ids: readonly number[]): Promise<void> {
  for (let from = 0; from < ids.length; from += BATCH_SIZE) {
    const answers = ids.slice(from, from + BATCH_SIZE).map((id) => ({
      id,
      list: { candidates: [], truncated: false },
      rawJson: null,
      language: null,
      serviceVersionId: null,
    }))
    await repeatUndone(() => storeAnswers(db, answers))
  }
}

async function untilSomebodyWaits(): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(
      db,
    )
    if (rows.length > 0) return
  }
}
