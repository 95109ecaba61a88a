import type { Pace } from '../core/pace.ts'
import type { Db } from './connect.ts'

/** How a project is paced; undefined: no such project. */
export async function readPace(db: Db, projectId: number): Promise<Pace | undefined> {
  const row = await db
    .selectFrom('project')
    .where('id', '=', projectId)
    .select(['task_window as window', 'priority', 'weight'])
    .executeTakeFirst()
  return row
}

/** Changes what is named. @returns what holds now; undefined: no such project */
export async function changePace(
  db: Db,
  projectId: number,
  { window, priority, weight }: Partial<Pace>,
): Promise<Pace | undefined> {
  const changes = {
    ...(window === undefined ? {} : { task_window: window }),
    ...(priority === undefined ? {} : { priority }),
    ...(weight === undefined ? {} : { weight }),
  }
  if (Object.keys(changes).length > 0) {
    await db.updateTable('project').set(changes).where('id', '=', projectId).execute()
  }
  return readPace(db, projectId)
}
