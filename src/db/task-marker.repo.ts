import type { Db } from './connect.ts'
import type { TaskKey } from './task-subjects.repo.ts'

/** Records of a task that are being decided right now: those up to this one that are still queued. */
export interface MarkedPage {
  readonly lastSubjectId: number
}

/** Says what is about to be decided; if the process dies of it, the next attempt knows whom to suspect. */
export async function markPage(db: Db, key: TaskKey, page: MarkedPage): Promise<void> {
  await setMarker(db, key, page.lastSubjectId)
}

export async function unmarkPage(db: Db, key: TaskKey): Promise<void> {
  await setMarker(db, key, null)
}

/** What a lost attempt was deciding; null when none was lost in the middle. */
export async function markedPage(db: Db, key: TaskKey): Promise<MarkedPage | null> {
  const row = await db
    .selectFrom('task')
    .where('run_id', '=', key.runId)
    .where('number', '=', key.task)
    .select('marked_subject_id')
    .executeTakeFirst()
  return row?.marked_subject_id == null ? null : { lastSubjectId: row.marked_subject_id }
}

async function setMarker(db: Db, key: TaskKey, subjectId: number | null): Promise<void> {
  await db
    .updateTable('task')
    .set({ marked_subject_id: subjectId })
    .where('run_id', '=', key.runId)
    .where('number', '=', key.task)
    .execute()
}
