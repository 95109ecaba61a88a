import { sql } from 'kysely'
import type { Db } from './connect.ts'

/**
 * Gives these queued subjects of a run the decision back that they had: what is stored cannot decide them under
 * settings of this revision. The next start does, as for any that was decided under older settings.
 */
export async function restoreUnanswered(
  db: Db,
  run: { readonly runId: number; readonly settingsRevision: number },
  subjectIds: readonly number[],
): Promise<void> {
  if (subjectIds.length === 0) return
  await sql`
    update subject set status = 'COMPLETED', updated_at = now(),
      decided_revision = least(decided_revision, ${run.settingsRevision}::integer - 1)
    where id = any(${subjectIds}::bigint[]) and run_id = ${run.runId}::bigint and status = 'QUEUED'
      and decision_id is not null and outcome is not null`.execute(db)
}
