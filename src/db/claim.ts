import { type RawBuilder, sql } from 'kysely'
import type { TaskKey } from './task-subjects.repo.ts'

/** Longer than the longest wait between two attempts; a task that lives claims again before. */
const CLAIM_MINUTES = 10

/**
 * True where this task may take a row to ask for it: a claim holds while its task and run are open and not paused, so
 * that what two tasks need is asked once.
 * @param row alias of a table with `claimed_run_id`, `claimed_task` and `claimed_at`
 */
export function isClaimable(row: string, { runId, task }: TaskKey): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${row}.${name}`)
  return sql`(
    ${column('claimed_run_id')} is null
    or (${column('claimed_run_id')} = ${runId}::bigint and ${column('claimed_task')} = ${task}::integer)
    or ${column('claimed_at')} < clock_timestamp() - ${CLAIM_MINUTES} * interval '1 minute'
    or not exists (
      select 1 from task t join run r on r.id = t.run_id
      where t.run_id = ${column('claimed_run_id')} and t.number = ${column('claimed_task')}
        and t.status = 'open' and r.status = 'open' and r.paused_reason is null))`
}
