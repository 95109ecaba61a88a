/** Planning writes by pages: it can be broken off between two of them, and a repetition does what is left. */
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { defaultRunOptions, type RunOptions } from '../../../src/core/run.ts'
import { connectDatabase, type Db } from '../../../src/db/connect.ts'
import type { PlanPages } from '../../../src/db/plan-page.ts'
import { findProject } from '../../../src/db/projects.repo.ts'
import { writeRunLookups } from '../../../src/db/run-lookups.ts'
import { queueDueSubjects } from '../../../src/db/run-queue.ts'
import { assignTasks } from '../../../src/db/run-tasks.ts'
import { openRun, type Run } from '../../../src/db/runs.repo.ts'
import { refreshSubjects } from '../../../src/db/subject-refresh.ts'
import { cancelQueuedSubjects } from '../../../src/db/task-subjects.repo.ts'
import { createTestProject, type TestProject } from '../../support/match-project-rows.ts'
import { onTempDatabase } from '../../support/on-temp-database.ts'

const ROWS = 10
/** More than two pages; each name is of two records. */
const RECORDS = 2 * ROWS + 4
const NAMES = RECORDS / 2
const mapping = { name: 'name', variants: [], properties: [] }

let db: Db
let project: TestProject
onTempDatabase((url) => (db = connectDatabase(url)))
beforeEach(async () => {
  project = await createTestProject(db, 'http://127.0.0.1:1/reconcile', [], { mapping })
  await sql`
    insert into entry (dataset_id, external_id, position, source, source_hash)
    select ${project.datasetId}::bigint, 'r' || n, n, jsonb_build_object('name', 'Name ' || n % ${NAMES}::integer),
      sha256(n::text::bytea)
    from generate_series(1, ${RECORDS}::integer) as n`.execute(db)
})

const allPages: PlanPages = { rows: ROWS, onPage: () => undefined }

/** Throws at the n-th page, as a cancellation or a shutdown does. */
function stopAt(page: number): PlanPages {
  let pages = 0
  return {
    rows: ROWS,
    onPage: () => {
      pages += 1
      if (pages === page) throw new Error('stopped')
    },
  }
}

async function openedRun(options: RunOptions = defaultRunOptions): Promise<Run> {
  const known = await findProject(db, project.id)
  if (known === undefined) throw new Error('expected the project')
  await refreshSubjects(db, known)
  return openRun(db, {
    projectId: project.id,
    workflowId: 'w',
    temporalRunId: `planning-${project.id}`,
    settingsRevision: 1,
    options,
  })
}

function queue({ id: runId, options }: Run, pages = allPages): Promise<void> {
  const question = { projectId: project.id, revision: 1, runId, options }
  return queueDueSubjects(db, question, options, pages)
}

async function count(where: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from subject s join entry e on e.id = s.entry_id
    where s.project_id = ${project.id}::bigint and ${sql.raw(where)}`.execute(db)
  return rows[0]?.count ?? NaN
}

describe('records', () => {
  it('are brought up to date however often that is broken off', async () => {
    const known = await findProject(db, project.id)
    if (known === undefined) throw new Error('expected the project')
    await expect(refreshSubjects(db, known, stopAt(2))).rejects.toThrow('stopped')
    const { created } = await refreshSubjects(db, known)
    expect(created).toBe(RECORDS - 2 * ROWS)
    expect(await refreshSubjects(db, known)).toEqual({ created: 0, changed: 0 })
    expect(await count('true')).toBe(RECORDS)
  })
})

describe('what is due', () => {
  it('is queued by the repetition as far as it was not before', async () => {
    const run = await openedRun()
    await expect(queue(run, stopAt(2))).rejects.toThrow('stopped')
    expect(await count(`status = 'QUEUED'`)).toBe(2 * ROWS)
    await queue(run)
    expect(await count(`status = 'QUEUED' and asked_hash = match_hash`)).toBe(RECORDS)
  })

  it('is no more than the limit, and the first ones, though it was broken off', async () => {
    const limit = ROWS + 3
    const run = await openedRun({ ...defaultRunOptions, limit })
    await expect(queue(run, stopAt(1))).rejects.toThrow('stopped')
    await queue(run)
    await queue(run)
    expect(await count(`status = 'QUEUED'`)).toBe(limit)
    expect(await count(`status = 'QUEUED' and position <= ${limit}`)).toBe(limit)
  })

  it('is the same sample as without a stop', async () => {
    const sample = { size: ROWS + 3, seed: 3 }
    const run = await openedRun({ ...defaultRunOptions, sample })
    await expect(queue(run, stopAt(1))).rejects.toThrow('stopped')
    await queue(run)
    const drawn = `e.id in (select id from entry where dataset_id = ${project.datasetId}
      order by md5('3' || external_id), id limit ${sample.size})`
    expect(await count(`status = 'QUEUED'`)).toBe(sample.size)
    expect(await count(`status = 'QUEUED' and ${drawn}`)).toBe(sample.size)
  })

  it('and not decided is cancelled by pages too', async () => {
    const run = await openedRun()
    await queue(run)
    await cancelQueuedSubjects(db, run.id, allPages)
    expect(await count(`status = 'CANCELLED'`)).toBe(RECORDS)
  })
})

describe('tasks', () => {
  const pace = { batchSize: 5, latencyMs: null, ratePerS: null, window: 24 }
  const asking = { pace, entriesPerTask: null }

  async function queuedRun(): Promise<Run> {
    const run = await openedRun()
    await queue(run)
    await writeRunLookups(db, { id: run.id, settings: project.settings }, () => undefined)
    return run
  }

  /** Names whose records are in more than one task. */
  async function splitNames(runId: number): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from (
        select sl.lookup_id from subject s join subject_lookup sl on sl.subject_id = s.id
        where s.run_id = ${runId}::bigint
        group by sl.lookup_id having count(distinct s.task_number) > 1
      ) as split`.execute(db)
    return rows[0]?.count ?? NaN
  }

  it('are dealt once, in file order, and the records of a name are in one', async () => {
    const { id } = await queuedRun()
    const range = await assignTasks(db, { id, round: 0 }, asking, allPages)
    const tasks = Math.ceil(NAMES / 5)
    expect(range).toEqual({ first: 1, count: tasks, asking: tasks })
    expect(await splitNames(id)).toBe(0)
    expect(await count(`task_number = 1 and position between 1 and 5`)).toBe(5)
    expect(await assignTasks(db, { id, round: 0 }, asking, allPages)).toEqual(range)
  })

  it('are dealt by the repetition as far as they were not before', async () => {
    const { id } = await queuedRun()
    await expect(assignTasks(db, { id, round: 0 }, asking, stopAt(1))).rejects.toThrow('stopped')
    expect(await count('task_number is not null')).toBe(ROWS)
    const range = await assignTasks(db, { id, round: 0 }, asking, allPages)
    expect(await count('task_number is null')).toBe(0)
    const { rows } = await sql<{ numbers: number; last: number }>`
      select count(distinct task_number)::integer as numbers, max(task_number) as last
      from subject where run_id = ${id}::bigint`.execute(db)
    expect(rows[0]).toEqual({ numbers: range.count, last: range.count })
  })

  it('have so many records each as is asked for, whatever these share', async () => {
    const { id } = await queuedRun()
    const sizing = { pace, entriesPerTask: 4 }
    const range = await assignTasks(db, { id, round: 0 }, sizing, allPages)
    expect(range.count).toBe(RECORDS / 4)
    expect(await count('task_number = 3')).toBe(4)
  })
})
