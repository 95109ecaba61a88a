import { type RawBuilder, sql } from 'kysely'
import type { RunOptions } from '../core/run.ts'
import type { Db } from './connect.ts'
import { subjectsWithDue, type DueQuestion } from './due-subjects.ts'

/**
 * Marks QUEUED what is due and gives it to the run. Idempotent: a subject that the run has queued is not due again.
 * With `limit` the first due ones in file order; with `sample` those whose hash with the seed is smallest.
 */
export async function queueDueSubjects(
  db: Db,
  question: DueQuestion & { readonly runId: number },
  options: RunOptions,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // A repeated delivery must not draw a second sample on top of the first.
    const already = await tx
      .selectFrom('subject')
      .where('run_id', '=', question.runId)
      .select('id')
      .limit(1)
      .executeTakeFirst()
    if (already !== undefined) return
    await sql`
      update subject as s
      set status = 'QUEUED', run_id = ${question.runId}::bigint, task_number = null,
        -- Where cells and settings are as they were, the decision stands until there is another.
        outcome = case when queued.due in ('old_answers', 'new_answers', 'picked', 'rescored') then s.outcome end,
        error_code = null, error_message = null, updated_at = now()
      from (${dueRecords(question, options)}) as queued
      where s.id = queued.id`.execute(tx)
  })
}

/** The due records that a run of these options takes. */
export function dueRecords(question: DueQuestion, options: RunOptions): RawBuilder<unknown> {
  return sql`
    select * from (${subjectsWithDue(question)}) as subjects
    where due is not null
    ${narrowed(options)}`
}

function narrowed(options: RunOptions) {
  if (options.sample !== null) {
    const { seed, size } = options.sample
    return sql`order by md5(${String(seed)}::text || external_id), id limit ${size}::integer`
  }
  if (options.limit !== null) return sql`order by position limit ${options.limit}::integer`
  return sql``
}
