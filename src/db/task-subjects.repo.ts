import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connect.ts'
import { isJudgedSubject } from './current-judgment.ts'
import { planPages } from './plan-page.ts'

export interface TaskKey {
  readonly runId: number
  readonly task: number
}

/** Why what a task left queued has no decision; the code is stable. */
export interface TaskFailure {
  readonly code: string
  readonly message: string
}

/** `error_code` of a record that is decided on an answer which could not be renewed. */
export const REFRESH_FAILED = 'refresh_failed'

/**
 * Marks whatever a task left QUEUED as FAILED; a decision that was to be renewed stands, and says so.
 * @returns how many have FAILED
 */
export async function failTaskSubjects(
  db: Db,
  key: TaskKey,
  failure: TaskFailure,
): Promise<number> {
  await keepJudged(key).execute(db)
  const { rows } = await sql<{ failed: boolean }>`
    update subject s
    set status = case when s.outcome is null then 'FAILED' else 'COMPLETED' end,
      error_code = case when s.outcome is null then ${failure.code}::text else ${REFRESH_FAILED}::text end,
      error_message = case when s.outcome is null then ${failure.message}::text
        else ${`Its answers could not be renewed (${failure.code}): ${failure.message}`}::text end,
      updated_at = now()
    where s.run_id = ${key.runId}::bigint and s.task_number = ${key.task}::integer
      and s.status = 'QUEUED'
    returning s.status = 'FAILED' as failed`.execute(db)
  return rows.filter(({ failed }) => failed).length
}

/**
 * Finishes the queued subjects of a task that a person has judged and that were decided before: they were asked about
 * to see whether the item changed, and are not decided again.
 */
export function keepJudged(key: TaskKey): RawBuilder<unknown> {
  return sql`
    update subject s set status = 'COMPLETED', updated_at = now()
    where s.id = any(${decidedBefore(key)}) and ${isJudgedSubject}
      -- Looked at again once it is locked: somebody may have taken the record away meanwhile.
      and s.run_id = ${key.runId}::bigint and s.task_number = ${key.task}::integer and s.status = 'QUEUED'`
}

/**
 * Ids of the queued records of a task that have a decision of before. In two steps, so that they are looked up by their task:
 * of decided records there is an index, too, which seems shorter as long as PostgreSQL has not counted what a run decides, and is
 * read whole.
 */
export function decidedBefore({ runId, task }: TaskKey): RawBuilder<readonly number[]> {
  return sql`array(
    select q.id from (
      select id, outcome from subject
      where run_id = ${runId}::bigint and task_number = ${task}::integer and status = 'QUEUED' offset 0
    ) as q where q.outcome is not null)`
}

/**
 * Marks what a run left QUEUED as CANCELLED; decided rows stay, also those that were to be renewed. Page by page, with no
 * connection held in between; a repetition does what is left.
 */
export async function cancelQueuedSubjects(
  db: Db,
  runId: number,
  { rows, onPage } = planPages(),
): Promise<void> {
  for (let after: PageEnd | undefined = beforeTasks; after !== undefined;) {
    after = await cancelPage(db, runId, after, rows)
    onPage()
  }
}

/** Last row of a page, in the order of the index (run_id, task_number, id). */
interface PageEnd {
  /** Null: those without a task, which come last. */
  readonly task: number | null
  readonly id: number
}

const beforeTasks: PageEnd = { task: 0, id: 0 }
const beforeTaskless: PageEnd = { task: null, id: 0 }

/** @returns after what to go on; undefined: nothing is left */
async function cancelPage(
  db: Db,
  runId: number,
  { task, id }: PageEnd,
  rows: number,
): Promise<PageEnd | undefined> {
  const further =
    task === null
      ? sql`task_number is null and id > ${id}::bigint`
      : sql`(task_number, id) > (${task}::integer, ${id}::bigint)`
  const { rows: page } = await sql<PageEnd>`
    select task_number as task, id from subject
    where run_id = ${runId}::bigint and status = 'QUEUED' and ${further}
    order by task_number, id limit ${rows}::integer`.execute(db)
  const last = page.at(-1)
  if (last === undefined) return task === null ? undefined : beforeTaskless
  await sql`
    update subject s
    set status = case when s.outcome is null then 'CANCELLED' else 'COMPLETED' end, updated_at = now()
    where s.id = any(${page.map((row) => row.id)}::bigint[])
      and s.run_id = ${runId}::bigint and s.status = 'QUEUED'`.execute(db)
  return last
}

export async function countQueued(db: Db, runId: number): Promise<number> {
  const row = await db
    .selectFrom('subject')
    .where('run_id', '=', runId)
    .where('status', '=', 'QUEUED')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

/** Ends a task: its claims on lookups are void from now on, and nothing of it is being decided any more. */
export async function closeTask(db: Db, key: TaskKey, status: 'done' | 'failed'): Promise<void> {
  await db
    .updateTable('task')
    .set({ status, marked_subject_id: null })
    .where('run_id', '=', key.runId)
    .where('number', '=', key.task)
    .where('status', '=', 'open')
    .execute()
}
