/**
 * Which records of a task are being decided right now. `takePage` writes it; if the process dies of one of them, the
 * next attempt knows whom to suspect.
 */
import { sql } from 'kysely'
import type { Db } from './connect.ts'
import type { TaskPlace } from './task-page.repo.ts'
import { keepJudged, type TaskKey } from './task-subjects.repo.ts'

/**
 * Begins to decide a task: what is judged stays (`keepJudged`).
 * @returns the last record of the page that a lost attempt was deciding: those up to this one that are still queued are
 *   suspect, and all where it was removed meanwhile; null when none was lost in the middle
 */
export async function beginDeciding(db: Db, key: TaskKey): Promise<TaskPlace | null> {
  const { rows } = await sql<TaskPlace>`
    with kept as (${keepJudged(key)})
    select case when s.id is null then ${Number.MAX_SAFE_INTEGER}::bigint else coalesce(main.lookup_id, 0) end as "lookupId",
      t.marked_subject_id as "subjectId"
    from task t left join subject s on s.id = t.marked_subject_id
    left join subject_lookup main on main.subject_id = t.marked_subject_id and main.position = 0
    where t.run_id = ${key.runId}::bigint and t.number = ${key.task}::integer
      and t.marked_subject_id is not null`.execute(db)
  return rows[0] ?? null
}
