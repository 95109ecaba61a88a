import type { Db } from './connect.ts'

/** A schedule as people asked for it. */
export interface Schedule {
  readonly projectId: number
  readonly cron: string
  /** IANA name. */
  readonly timeZone: string
  readonly isPaused: boolean
}

export async function putSchedule(db: Db, schedule: Schedule): Promise<void> {
  const values = {
    cron: schedule.cron,
    time_zone: schedule.timeZone,
    is_paused: schedule.isPaused,
  }
  await db
    .insertInto('schedule')
    .values({ project_id: schedule.projectId, ...values })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(values))
    .execute()
}

export async function findSchedule(db: Db, projectId: number): Promise<Schedule | undefined> {
  const [schedule] = await readSchedules(db, projectId)
  return schedule
}

/** All of them, by project. */
export async function listSchedules(db: Db): Promise<readonly Schedule[]> {
  return readSchedules(db, null)
}

export async function deleteSchedule(db: Db, projectId: number): Promise<void> {
  await db.deleteFrom('schedule').where('project_id', '=', projectId).execute()
}

async function readSchedules(db: Db, projectId: number | null): Promise<Schedule[]> {
  return db
    .selectFrom('schedule')
    .$if(projectId !== null, (query) => query.where('project_id', '=', projectId ?? 0))
    .select(['project_id as projectId', 'cron', 'time_zone as timeZone', 'is_paused as isPaused'])
    .orderBy('project_id')
    .execute()
}
