import { type RawBuilder, sql } from 'kysely'
import { taskDealer } from '../core/task-deal.ts'
import { type TaskPace, taskSizes } from '../core/task-size.ts'
import type { Db } from './connect.ts'
import { isToRenew } from './lookup-to-ask.ts'
import { dealLock, type PlanPages, planPages } from './plan-page.ts'
import { readHeld, withSessionLock } from './read-held.ts'
import { tellPlanner } from './table-statistics.ts'
import type { TaskTable } from './tables/task.table.ts'

/** Subjects whose answers are all at hand cost no request: many fit in one task. */
export const SCORE_TASK_SUBJECTS = 500

/** Numbers `first` to `first + count - 1`. */
export interface TaskRange {
  readonly first: number
  readonly count: number
  /** So many of them, the first ones, have something to ask. */
  readonly asking: number
}

export interface TaskSizing {
  readonly pace: TaskPace
  /** Records per task, whatever they ask; null: by the number of requests. */
  readonly entriesPerTask: number | null
}

interface DealtRun {
  readonly id: number
  readonly round: number
}

/**
 * Deals the run's queued subjects without an open task into tasks. Subjects that share a question come into one task
 * where their main names are equal. Written page by page: a repetition deals what is left.
 */
export async function assignTasks(
  db: Db,
  run: DealtRun,
  sizing: TaskSizing,
  pages: PlanPages = planPages(),
): Promise<TaskRange> {
  return withSessionLock(db, dealLock(run.id), async (own) => {
    await releaseClosedTasks(own, run)
    const { entriesPerTask } = sizing
    const sizeOf =
      entriesPerTask === null
        ? taskSizes(await countQuestions(own, run.id), sizing.pace)
        : () => entriesPerTask
    // With a number of records per task each record counts, whatever it shares.
    const unit = entriesPerTask === null ? sql`lookup_id` : sql`subject_id`
    const asking = sql<Dealt>`
      select subject_id as id, ${unit} as unit from (
        select *, min(position) over (partition by lookup_id) as first_position
        from (${missingAnswers(run.id)}) as missing
      ) as asked
      order by first_position, ${entriesPerTask === null ? sql`lookup_id, position` : sql`position`}`
    const dealing = { own, run, pages }
    const asked = await deal(dealing, 'ask', sizeOf, asking)
    const scoring = sql<Dealt>`
      select s.id, s.id as unit from subject s join entry e on e.id = s.entry_id
      where s.run_id = ${run.id}::bigint and s.status = 'QUEUED' and s.task_number is null
      order by e.position`
    const scored = await deal(
      dealing,
      'score',
      () => entriesPerTask ?? SCORE_TASK_SUBJECTS,
      scoring,
    )
    await tellPlanner(own, asked + scored, ['subject'])
    return taskRange(own, run)
  })
}

interface Dealt {
  readonly id: number
  /** What a task has a number of. */
  readonly unit: number
}

interface Dealing {
  /** Holds the plan, reads and writes. */
  readonly own: Db
  readonly run: DealtRun
  readonly pages: PlanPages
}

/** @returns how many records have been dealt */
async function deal(
  { own, run, pages }: Dealing,
  kind: TaskTable['kind'],
  sizeOf: (nth: number) => number,
  records: RawBuilder<Dealt>,
): Promise<number> {
  let count = 0
  const taskOf = taskDealer(await nextTaskNumber(own, run.id), sizeOf)
  const write = async (page: readonly Dealt[]): Promise<void> => {
    const tasks = page.map(({ unit }) => taskOf(unit))
    await own.transaction().execute(async (writing) => {
      await sql`
        update subject s set task_number = dealt.task
        from unnest(${page.map(({ id }) => id)}::bigint[], ${tasks}::integer[]) as dealt (id, task)
        where s.id = dealt.id and s.run_id = ${run.id}::bigint and s.status = 'QUEUED'
          and s.task_number is null`.execute(writing)
      await sql`
        insert into task (run_id, number, round, kind)
        select ${run.id}::bigint, number, ${run.round}::integer, ${kind}::text
        from unnest(${[...new Set(tasks)]}::integer[]) as dealt (number)
        on conflict do nothing`.execute(writing)
    })
    count += page.length
    pages.onPage()
  }
  await readHeld(own, records, write, pages.rows)
  return count
}

// What a closed task of an earlier round left queued is dealt again.
async function releaseClosedTasks(db: Db, { id, round }: DealtRun): Promise<void> {
  if (round === 0) return
  await sql`
    update subject s set task_number = null
    from task t
    where t.run_id = s.run_id and t.number = s.task_number and t.status <> 'open'
      and t.round < ${round}::integer
      and s.run_id = ${id}::bigint and s.status = 'QUEUED'`.execute(db)
}

async function taskRange(db: Db, run: DealtRun): Promise<TaskRange> {
  const range = await db
    .selectFrom('task')
    .where('run_id', '=', run.id)
    .where('round', '=', run.round)
    .select((eb) => [
      eb.fn.min('number').as('first'),
      eb.fn.countAll<number>().as('count'),
      eb.fn.countAll<number>().filterWhere('kind', '=', 'ask').as('asking'),
    ])
    .executeTakeFirstOrThrow()
  return { ...range, first: range.first ?? 0 }
}

async function nextTaskNumber(db: Db, runId: number): Promise<number> {
  const row = await db
    .selectFrom('task')
    .where('run_id', '=', runId)
    .select((eb) => eb.fn.max('number').as('last'))
    .executeTakeFirst()
  return (row?.last ?? 0) + 1
}

/** Each record with the first question that is asked in any case: its main name, or one that is renewed. */
function missingAnswers(runId: number): RawBuilder<unknown> {
  return sql`
    select distinct on (s.id) s.id as subject_id, l.id as lookup_id, e.position
    from subject s
    join run r on r.id = s.run_id
    join entry e on e.id = s.entry_id
    join subject_lookup sl on sl.subject_id = s.id
    join lookup l on l.id = sl.lookup_id
    where s.run_id = ${runId}::bigint and s.status = 'QUEUED' and s.task_number is null
      and ((sl.position = 0 and l.status <> 'answered') or ${isToRenew})
    order by s.id, sl.position`
}

async function countQuestions(db: Db, runId: number): Promise<number> {
  const { rows } = await sql<{ lookups: number }>`
    select count(distinct lookup_id)::integer as lookups
    from (${missingAnswers(runId)}) as missing`.execute(db)
  return rows[0]?.lookups ?? 0
}
