import type { Client } from '@temporalio/client'
import type { Db } from '../../db/connect.ts'
import { deleteSchedule, putSchedule, type Schedule } from '../../db/schedules.repo.ts'
import { momentText } from '../moment-text.ts'
import { readSchedule } from './temporal-schedule.ts'

/** A schedule as `schedule list -o json` shows it; moments in ISO 8601. */
export interface ScheduleRow {
  readonly project: number
  readonly cron: string
  readonly timeZone: string
  readonly status: 'active' | 'paused'
  readonly next: string | null
  readonly last: string | null
  readonly lastOutcome: string | null
}

/**
 * A schedule with what the server knows of it. What was changed there (in the Temporal UI) is taken over.
 * @returns undefined when it is gone there
 */
export async function scheduleRow(
  client: Client,
  db: Db,
  schedule: Schedule,
): Promise<ScheduleRow | undefined> {
  const news = await readSchedule(client, schedule.projectId)
  if (news === undefined) {
    await deleteSchedule(db, schedule.projectId)
    return undefined
  }
  const { isPaused, next, last } = news
  if (isPaused !== schedule.isPaused) await putSchedule(db, { ...schedule, isPaused })
  return {
    project: schedule.projectId,
    cron: schedule.cron,
    timeZone: schedule.timeZone,
    status: isPaused ? 'paused' : 'active',
    next: next?.toISOString() ?? null,
    last: last?.at.toISOString() ?? null,
    lastOutcome: last?.outcome ?? null,
  }
}

/** `Project 123: "0 3 * * *" (Europe/Amsterdam), active, next 2 Jan, 03:00:00` */
export function scheduleText({ project, cron, timeZone, status, next }: ScheduleRow): string {
  const when = next === null ? '' : `, next ${momentText(Date.parse(next), Date.now())}`
  return `Project ${project}: "${cron}" (${timeZone}), ${status}${when}`
}
