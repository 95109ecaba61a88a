import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connect.ts'
import { isJudgedSubject } from './current-judgment.ts'
import { planPages } from './plan-page.ts'
import { readCursor } from './read-cursor.ts'

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
    where s.run_id = ${key.runId}::bigint and s.task_number = ${key.task}::integer
      and s.status = 'QUEUED' and s.outcome is not null
      and ${isJudgedSubject}`
}

/**
 * Marks what a run left QUEUED as CANCELLED; decided rows stay, also those that were to be renewed. Page by page: a
 * repetition does what is left.
 */
export async function cancelQueuedSubjects(
  db: Db,
  runId: number,
  { rows } = planPages(),
): Promise<void> {
  const queued = sql<{ id: number }>`
    select id from subject where run_id = ${runId}::bigint and status = 'QUEUED'`
  const cancel = async (page: readonly { readonly id: number }[]): Promise<void> => {
    await sql`
      update subject s
      set status = case when s.outcome is null then 'CANCELLED' else 'COMPLETED' end, updated_at = now()
      where s.id = any(${page.map(({ id }) => id)}::bigint[])
        and s.run_id = ${runId}::bigint and s.status = 'QUEUED'`.execute(db)
  }
  await readCursor(db, queued, cancel, rows)
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
