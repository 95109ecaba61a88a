import { sql, type Transaction } from 'kysely'
import { lookupsPerTask } from '../core/task-size.ts'
import type { Db } from './connect.ts'
import type { Database } from './database.ts'
import { isToRenew } from './lookup-to-ask.ts'

/** Subjects whose answers are all at hand cost no request: many fit in one task. */
const SCORE_TASK_SUBJECTS = 500

/** Numbers `first` to `first + count - 1`. */
export interface TaskRange {
  readonly first: number
  readonly count: number
}

export interface TaskSizing {
  /** Lookups per request. */
  readonly batchSize: number
  /** Records per task, whatever they ask; null: by the number of requests. */
  readonly entriesPerTask: number | null
}

/**
 * Deals the run's queued subjects without an open task into tasks: one transaction, repeatable by (run, round).
 * Subjects that share a question come into one task where their main names are equal.
 */
export async function assignTasks(
  db: Db,
  run: { readonly id: number; readonly round: number },
  sizing: TaskSizing,
): Promise<TaskRange> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${run.id}::bigint)`.execute(tx)
    const dealt = await taskRange(tx, run)
    if (dealt.count > 0) return dealt
    await releaseClosedTasks(tx, run.id)
    const first = await nextTaskNumber(tx, run.id)
    const asking = await dealAskTasks(tx, run.id, first, sizing)
    await dealScoreTasks(tx, run.id, asking, sizing.entriesPerTask ?? SCORE_TASK_SUBJECTS)
    await sql`
      insert into task (run_id, number, round, kind)
      select ${run.id}::bigint, task_number, ${run.round}::integer,
        case when task_number < ${asking}::integer then 'ask' else 'score' end
      from subject
      where run_id = ${run.id}::bigint and task_number >= ${first}::integer
      group by task_number`.execute(tx)
    return taskRange(tx, run)
  })
}

// What a closed task left queued is dealt again.
async function releaseClosedTasks(tx: Transaction<Database>, runId: number): Promise<void> {
  await sql`
    update subject s set task_number = null
    from task t
    where t.run_id = s.run_id and t.number = s.task_number and t.status <> 'open'
      and s.run_id = ${runId}::bigint and s.status = 'QUEUED'`.execute(tx)
}

async function taskRange(
  tx: Transaction<Database>,
  run: { readonly id: number; readonly round: number },
): Promise<TaskRange> {
  const range = await tx
    .selectFrom('task')
    .where('run_id', '=', run.id)
    .where('round', '=', run.round)
    .select((eb) => [eb.fn.min('number').as('first'), eb.fn.countAll<number>().as('count')])
    .executeTakeFirstOrThrow()
  return { first: range.first ?? 0, count: range.count }
}

async function nextTaskNumber(tx: Transaction<Database>, runId: number): Promise<number> {
  const row = await tx
    .selectFrom('task')
    .where('run_id', '=', runId)
    .select((eb) => eb.fn.max('number').as('last'))
    .executeTakeFirst()
  return (row?.last ?? 0) + 1
}

/** @returns the first number after the ask tasks. */
async function dealAskTasks(
  tx: Transaction<Database>,
  runId: number,
  first: number,
  sizing: TaskSizing,
): Promise<number> {
  // By the first question that is asked in any case: its main name, or one that is renewed.
  const missing = sql`
    select distinct on (s.id) s.id as subject_id, l.id as lookup_id, e.position
    from subject s
    join run r on r.id = s.run_id
    join entry e on e.id = s.entry_id
    join subject_lookup sl on sl.subject_id = s.id
    join lookup l on l.id = sl.lookup_id
    where s.run_id = ${runId}::bigint and s.status = 'QUEUED' and s.task_number is null
      and ((sl.position = 0 and l.status <> 'answered') or ${isToRenew})
    order by s.id, sl.position`
  const { rows } = await sql<{ lookups: number }>`
    select count(distinct lookup_id)::integer as lookups from (${missing}) as m`.execute(tx)
  const byEntries = sizing.entriesPerTask !== null
  const size = sizing.entriesPerTask ?? lookupsPerTask(rows[0]?.lookups ?? 0, sizing.batchSize)
  const place = byEntries
    ? sql`row_number() over (order by first_position, position)`
    : sql`dense_rank() over (order by first_position, lookup_id)`
  // Window functions and no self-join: the planner has no statistics yet of rows written a moment ago.
  await sql`
    with asked as (
      select *, min(position) over (partition by lookup_id) as first_position
      from (${missing}) as m
    ),
    dealt as (select subject_id, (${place} - 1) / ${size}::integer as place from asked)
    update subject s set task_number = ${first}::integer + d.place
    from dealt d where d.subject_id = s.id`.execute(tx)
  const { rows: last } = await sql<{ last: number | null }>`
    select max(task_number) as last from subject
    where run_id = ${runId}::bigint and task_number >= ${first}::integer`.execute(tx)
  return (last[0]?.last ?? first - 1) + 1
}

async function dealScoreTasks(
  tx: Transaction<Database>,
  runId: number,
  first: number,
  size: number,
): Promise<void> {
  await sql`
    with dealt as (
      select s.id, (row_number() over (order by e.position) - 1) / ${size}::integer as place
      from subject s join entry e on e.id = s.entry_id
      where s.run_id = ${runId}::bigint and s.status = 'QUEUED' and s.task_number is null
    )
    update subject s set task_number = ${first}::integer + d.place
    from dealt d where d.id = s.id`.execute(tx)
}
