import { deleteSchedule, findSchedule, putSchedule } from '../../db/schedules.repo.ts'
import { UsageError } from '../../errors.ts'
import type { ScheduleFlags } from '../commands/schedule.ts'
import { withMatchContext } from '../match/match-context.ts'
import { printAnswer, say } from '../output.ts'
import { scheduleRow, scheduleText } from './schedule-row.ts'
import { changeSchedule } from './temporal-schedule.ts'

/** The commands `schedule pause`, `resume` and `remove`. */
export async function controlSchedule(
  { project, output }: ScheduleFlags,
  change: 'pause' | 'resume' | 'remove',
): Promise<void> {
  await withMatchContext(async ({ client, db }) => {
    const schedule = await findSchedule(db, project)
    const isThere = await changeSchedule(client, project, change)
    if (change === 'remove') {
      await deleteSchedule(db, project)
      if (!isThere && schedule === undefined) throw noSchedule(project)
      printAnswer(output, { project, status: 'removed' }, () => `Project ${project}: removed.`)
      say('What is left: ./record-linker schedule list')
      return
    }
    if (!isThere || schedule === undefined) throw noSchedule(project)
    await putSchedule(db, { ...schedule, isPaused: change === 'pause' })
    const row = await scheduleRow(client, db, { ...schedule, isPaused: change === 'pause' })
    if (row === undefined) throw noSchedule(project)
    printAnswer(output, row, () => scheduleText(row))
    if (change === 'pause')
      say(`Let it go on: ./record-linker schedule resume --project ${project}`)
  })
}

function noSchedule(project: number): UsageError {
  return new UsageError({
    code: 'no_schedule',
    message: `Project ${project} has no schedule.`,
    hint: `Make one: ./record-linker schedule --project ${project} --cron "0 3 * * *"`,
  })
}
