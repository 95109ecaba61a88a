import { defaultRunOptions } from '../../core/run.ts'
import { findSchedule, putSchedule } from '../../db/schedules.repo.ts'
import type { SetScheduleFlags } from '../commands/schedule.ts'
import { endActionOf } from '../match/end-flags.ts'
import { existingProject, withMatchContext } from '../match/match-context.ts'
import { missingContact } from '../match/missing-contact.ts'
import { printAnswer, say } from '../output.ts'
import { scheduleRow, scheduleText } from './schedule-row.ts'
import { writeSchedule } from './temporal-schedule.ts'

/** The command `schedule`. */
export async function setSchedule(flags: SetScheduleFlags): Promise<void> {
  await withMatchContext(async (context) => {
    const { client, db, stack } = context
    const project = await existingProject(db, flags.project)
    const refusal = missingContact(context, project)
    if (refusal !== null) throw refusal
    const before = await findSchedule(db, project.id)
    const schedule = {
      projectId: project.id,
      cron: flags.cron,
      timeZone: flags.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
      isPaused: before?.isPaused ?? false,
    }
    const options = {
      ...defaultRunOptions,
      only: flags.only ?? null,
      retryFailed: flags.retryFailed ?? false,
      refreshOlderThanMs: flags.refreshOlderThan ?? null,
      endActionId: await endActionOf(context, project.id, flags),
    }
    // The server first: a row without its schedule would keep the embedded servers up for nothing.
    await writeSchedule(client, { ...schedule, options })
    await putSchedule(db, schedule)
    const row = await scheduleRow(client, db, schedule)
    if (row === undefined)
      throw new Error(`The schedule of project ${project.id} was removed meanwhile.`)
    printAnswer(flags.output, row, () => scheduleText(row))
    if (stack.webUiUrl !== undefined) {
      say('The embedded servers stay up for it, until: ./record-linker down')
    }
    if (schedule.isPaused)
      say(`It is paused: ./record-linker schedule resume --project ${project.id}`)
    say('All of them: ./record-linker schedule list')
  })
}
