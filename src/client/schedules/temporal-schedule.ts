/** The schedule of a project on the Temporal server, which fires it. */
import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
} from '@temporalio/client'
import type { RunOptions } from '../../core/run.ts'
import type { ScheduledMatchInput, ScheduledMatchOutcome } from '../../core/scheduled-match.ts'
import { scheduledMatchId, scheduleId, WORK_TASK_QUEUE } from '../../core/workflow-ids.ts'
import type { Schedule } from '../../db/schedules.repo.ts'
import { UsageError } from '../../errors.ts'
import type { scheduledMatch } from '../../workflows/scheduled-match.ts'

export interface WantedSchedule extends Schedule {
  readonly options: RunOptions
  /** Default `record-linker`. */
  readonly taskQueue?: string
}

/** What the server knows of a schedule. */
export interface ScheduleNews {
  readonly isPaused: boolean
  /** null: never again, or not while it is paused. */
  readonly next: Date | null
  readonly last: { readonly at: Date; readonly outcome: ScheduledMatchOutcome | null } | null
}

/**
 * Makes or changes it. What was missed while no server ran is made up for when one runs again, within a day: a machine
 * that slept over the night matches in the morning, and one that was off for a week does so once and not seven times.
 * @throws UsageError `bad_cron`
 */
export async function writeSchedule(client: Client, wanted: WantedSchedule): Promise<void> {
  const { projectId, cron, timeZone, isPaused, options, taskQueue = WORK_TASK_QUEUE } = wanted
  const input: ScheduledMatchInput = { projectId, options }
  const schedule = {
    spec: { cronExpressions: [cron], timezone: timeZone },
    action: {
      type: 'startWorkflow' as const,
      workflowType: 'scheduledMatch' as const,
      workflowId: scheduledMatchId(projectId),
      taskQueue,
      args: [input] as [ScheduledMatchInput],
      staticSummary: `Scheduled match of project ${projectId}`,
    },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 day' as const },
    state: { paused: isPaused },
  }
  const id = scheduleId(projectId)
  try {
    try {
      await client.schedule.create<typeof scheduledMatch>({ ...schedule, scheduleId: id })
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error
      await client.schedule.getHandle(id).update<typeof scheduledMatch>(() => schedule)
    }
  } catch (error) {
    throw badCron(error, cron)
  }
}

/** @returns undefined where the server has no such schedule: it was removed there, or its data is gone */
export async function readSchedule(
  client: Client,
  projectId: number,
): Promise<ScheduleNews | undefined> {
  try {
    const { state, info } = await client.schedule.getHandle(scheduleId(projectId)).describe()
    const last = info.recentActions.at(-1)
    return {
      isPaused: state.paused,
      next: state.paused ? null : (info.nextActionTimes[0] ?? null),
      last:
        last === undefined
          ? null
          : { at: last.takenAt, outcome: await outcomeOf(client, last.action.workflow) },
    }
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return undefined
    throw error
  }
}

/** @returns false where there is none */
export async function changeSchedule(
  client: Client,
  projectId: number,
  change: 'pause' | 'resume' | 'remove',
): Promise<boolean> {
  const handle = client.schedule.getHandle(scheduleId(projectId))
  try {
    if (change === 'pause') await handle.pause('by user')
    else if (change === 'resume') await handle.unpause('by user')
    else await handle.delete()
    return true
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return false
    throw error
  }
}

/** null: it has not ended yet, it failed, or it is forgotten. */
async function outcomeOf(
  client: Client,
  started: { readonly workflowId: string; readonly firstExecutionRunId: string },
): Promise<ScheduledMatchOutcome | null> {
  try {
    const handle = client.workflow.getHandle<typeof scheduledMatch>(
      started.workflowId,
      started.firstExecutionRunId,
    )
    const { status } = await handle.describe()
    return status.name === 'COMPLETED' ? (await handle.result()).outcome : null
  } catch (error) {
    if (error instanceof Error && error.name === 'WorkflowNotFoundError') return null
    throw error
  }
}

/** The SDK throws a TypeError with the server's words for times that the server does not accept. */
function badCron(error: unknown, cron: string): unknown {
  if (!(error instanceof TypeError)) return error
  return new UsageError({
    code: 'bad_cron',
    message: `The Temporal server does not accept the times "${cron}": ${error.message}.`,
    hint: 'Five fields: minute hour day-of-month month day-of-week, such as "0 3 * * *" for every night at three.',
    cause: error,
  })
}
