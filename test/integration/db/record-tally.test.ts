/** The database keeps how many records each state has (migration 0042), whoever changes them and however. */
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { connectDatabase, type Db } from '../../../src/db/connect.ts'
import { deleteProject } from '../../../src/db/projects.repo.ts'
import { countProject, runStanding } from '../../../src/db/run-progress.repo.ts'
import { createTestProject, type TestProject } from '../../support/match-project-rows.ts'
import { onTempDatabase } from '../../support/on-temp-database.ts'

let db: Db
let project: TestProject
onTempDatabase((url) => (db = connectDatabase(url, { maxConnections: 6 })))

const RECORDS = 40
beforeEach(async () => {
  const records = Array.from({ length: RECORDS }, (_, n) => ({ id: `r${n}`, name: `name ${n}` }))
  project = await createTestProject(db, 'sample', records)
  await addSubjects(db)
})

/** @param part of five; default: all */
const addSubjects = (on: Db, part: number | null = null) =>
  sql`
    insert into subject (project_id, entry_id, match_hash, seen_source_hash, seen_revision)
    select ${project.id}::bigint, id, '\\x01', source_hash, 1 from entry
    where dataset_id = ${project.datasetId}::bigint and (${part}::integer is null or id % 5 = ${part}::integer)
    on conflict (project_id, entry_id) do update set status = 'NEW', outcome = null, run_id = null`.execute(
    on,
  )
const openRun = async () => {
  const { rows } = await sql<{ id: number }>`
    insert into run (project_id, number, workflow_id, temporal_run_id, settings_revision, options)
    values (${project.id}::bigint, 1, 'w', 't', 1, '{}') returning id`.execute(db)
  return rows[0]?.id ?? 0
}
const tallied = async () => {
  const { rows } = await sql<{ state: string; records: number }>`
    select concat_ws(' ', run_id, status, outcome) as state, sum(records)::integer as records
    from record_tally where project_id = ${project.id}::bigint
    group by 1 having sum(records) <> 0 order by 1`.execute(db)
  return rows
}
const counted = async () => {
  const { rows } = await sql<{ state: string; records: number }>`
    select concat_ws(' ', run_id, status, outcome) as state, count(*)::integer as records
    from subject where project_id = ${project.id}::bigint group by 1 order by 1`.execute(db)
  return rows
}
const written = async () => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from record_tally where project_id = ${project.id}::bigint`.execute(
    db,
  )
  return rows[0]?.n
}
const move = (on: Db, status: string, outcome: string | null, part: number) =>
  sql`
    update subject set status = ${status}, outcome = ${outcome}::text
    where project_id = ${project.id}::bigint and entry_id % 5 = ${part}::integer`.execute(on)

it('counts what is inserted, changed, given to a run, put again and deleted', async () => {
  expect(await tallied()).toEqual([{ state: 'NEW', records: RECORDS }])
  const run = await openRun()
  await sql`update subject set run_id = ${run}::bigint, status = 'QUEUED' where project_id = ${project.id}::bigint`.execute(
    db,
  )
  await move(db, 'COMPLETED', 'matched', 1)
  expect(await tallied()).toEqual(await counted())
  expect(await runStanding(db, run)).toMatchObject({ records: RECORDS, finished: 8, matched: 8 })
  expect(await countProject(db, project.id)).toMatchObject({ total: RECORDS, queued: 32 })

  await sql`delete from subject where project_id = ${project.id}::bigint and entry_id % 5 = 2`.execute(
    db,
  )
  expect(await tallied()).toEqual(await counted())
  await addSubjects(db)
  expect(await tallied()).toEqual([{ state: 'NEW', records: RECORDS }])
})

it('counts what goes with its run, its project or its dataset', async () => {
  const run = await openRun()
  await sql`update subject set run_id = ${run}::bigint where project_id = ${project.id}::bigint`.execute(
    db,
  )
  await db.deleteFrom('run').where('id', '=', run).execute()
  expect(await tallied()).toEqual([{ state: 'NEW', records: RECORDS }])
  await db.deleteFrom('entry').where('external_id', 'in', ['r1', 'r2']).execute()
  expect(await tallied()).toEqual([{ state: 'NEW', records: RECORDS - 2 }])
  await sql`update subject set run_id = ${await openRun()}::bigint where project_id = ${project.id}::bigint`.execute(
    db,
  )
  expect(await deleteProject(db, project.id)).toBe('run_open')
  await sql`update run set status = 'completed' where project_id = ${project.id}::bigint`.execute(
    db,
  )
  expect(await deleteProject(db, project.id)).toBe('deleted')
  expect(await written()).toBe(0)
})

it('a state that has one row keeps it when others are summed up', async () => {
  const rowOf = async (status: string) => {
    const { rows } = await sql<{ id: number }>`
      select id from record_tally where project_id = ${project.id}::bigint and status = ${status}`.execute(
      db,
    )
    return rows.map(({ id }) => id)
  }
  await move(db, 'FAILED', null, 1)
  const failed = await rowOf('FAILED')
  expect(await rowOf('NEW')).toHaveLength(2)
  await sql`select sum_up_tally(${project.id}::bigint)`.execute(db)
  expect(await rowOf('NEW')).toHaveLength(1)
  expect(await rowOf('FAILED')).toEqual(failed)
})

it('is counted anew where triggers did not run, and emptied with its table', async () => {
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await move(tx, 'FAILED', null, 1)
  })
  expect(await tallied()).not.toEqual(await counted())
  await sql`select recount_tally()`.execute(db)
  expect(await tallied()).toEqual(await counted())
  await sql`truncate subject cascade`.execute(db)
  expect(await tallied()).toEqual([])
})

it('a change of nothing that is counted adds nothing, and neither does what is taken back', async () => {
  const before = await written()
  await sql`update subject set updated_at = now() where project_id = ${project.id}::bigint`.execute(
    db,
  )
  await db
    .transaction()
    .execute(async (tx) => {
      await move(tx, 'FAILED', null, 1)
      throw new Error('taken back')
    })
    .catch(() => undefined)
  expect(await written()).toBe(before)
  expect(await tallied()).toEqual(await counted())
})

it('two transactions that change records of a project do not wait for each other, also while one sums up', async () => {
  await db.transaction().execute(async (one) => {
    await move(one, 'FAILED', null, 1)
    await sql`select sum_up_tally(${project.id}::bigint)`.execute(one)
    await db.transaction().execute(async (other) => {
      await sql`set local lock_timeout = '5s'`.execute(other)
      await move(other, 'CANCELLED', null, 2)
      await sql`select sum_up_tally(${project.id}::bigint)`.execute(other)
    })
    expect(await countProject(db, project.id)).toMatchObject({ failed: 0, cancelled: 8 })
  })
  expect(await countProject(db, project.id)).toMatchObject({ failed: 8, cancelled: 8, fresh: 24 })
  expect(await tallied()).toEqual(await counted())
})

interface Step {
  readonly status: string
  readonly outcome: string | null
  readonly part: number
  readonly isTakenBack: boolean
  readonly sumsUp: boolean
  /** Puts all there that are missing, after it has removed some. */
  readonly replaces: boolean
}
const step: fc.Arbitrary<Step> = fc.record({
  status: fc.constantFrom('QUEUED', 'COMPLETED', 'FAILED', 'CANCELLED'),
  outcome: fc.constantFrom(null, 'matched', 'review', 'no_candidate'),
  part: fc.nat(4),
  isTakenBack: fc.boolean(),
  sumsUp: fc.boolean(),
  replaces: fc.boolean(),
})

const takenBack = 'taken back'
const play = (one: Step) =>
  db
    .transaction()
    .execute(async (tx) => {
      await move(tx, one.status, one.outcome, one.part)
      if (one.replaces) {
        await sql`delete from subject where project_id = ${project.id}::bigint and entry_id % 5 = ${one.part}`.execute(
          tx,
        )
        await addSubjects(tx, one.part)
      }
      if (one.sumsUp) await sql`select sum_up_tally(${project.id}::bigint)`.execute(tx)
      if (one.isTakenBack) throw new Error(takenBack)
    })
    .catch((error: unknown) => {
      if (!(error instanceof Error) || error.message !== takenBack) throw error
    })

it('whatever several connections change at once, and whenever it is summed up, is counted', async () => {
  const sides = fc.array(fc.array(step, { maxLength: 6 }), { maxLength: 4 })
  const playAll = async (steps: readonly Step[]) => {
    for (const one of steps) await play(one)
  }
  await fc.assert(
    fc.asyncProperty(sides, async (all) => {
      await Promise.all(all.map(playAll))
      expect(await tallied()).toEqual(await counted())
    }),
    { numRuns: 25 },
  )
})

it('stays short however often records change', async () => {
  for (let n = 0; n < 700; n += 1) await move(db, n % 2 ? 'FAILED' : 'QUEUED', null, n % 5)
  const { rows } = await sql<{
    n: number
  }>`select count(*)::integer as n from record_tally`.execute(db)
  expect(rows[0]?.n).toBeLessThan(700)
  expect(await tallied()).toEqual(await counted())
})
