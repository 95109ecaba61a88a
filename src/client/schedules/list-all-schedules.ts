import { listSchedules } from '../../db/schedules.repo.ts'
import { withMatchContext } from '../match/match-context.ts'
import { momentText } from '../moment-text.ts'
import { type OutputFormat, printAnswer, say, tableText } from '../output.ts'
import { type ScheduleRow, scheduleRow } from './schedule-row.ts'

/** The command `schedule list`. */
export async function listAllSchedules(output: OutputFormat): Promise<void> {
  await withMatchContext(async ({ client, db }) => {
    const rows: ScheduleRow[] = []
    for (const schedule of await listSchedules(db)) {
      const row = await scheduleRow(client, db, schedule)
      if (row === undefined) {
        say(
          `That of project ${schedule.projectId} is gone from the Temporal server; it is forgotten.`,
        )
      } else rows.push(row)
    }
    const nowMs = Date.now()
    const moment = (text: string | null) =>
      text === null ? '' : momentText(Date.parse(text), nowMs)
    printAnswer(output, rows, () =>
      rows.length === 0
        ? 'There are no schedules.'
        : tableText(
            ['project', 'cron', 'time zone', 'status', 'next', 'last', 'outcome'],
            rows.map((row) => [
              row.project,
              row.cron,
              row.timeZone,
              row.status,
              moment(row.next),
              moment(row.last),
              row.lastOutcome,
            ]),
          ),
    )
    say(
      rows.length === 0
        ? 'Make one: ./record-linker schedule --project ID --cron "0 3 * * *"'
        : 'What came of a run: ./record-linker status --project ID',
    )
  })
}
