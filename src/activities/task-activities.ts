import { cancellationSignal } from '@temporalio/activity'
import type { TaskActivities } from './activity-contracts.ts'
import { askTask, type AskDeps } from './ask-task.ts'
import { createTaskDecider, type DecideDeps, type TaskDecider } from './decide-task.ts'
import { withHeartbeat } from './heartbeat.ts'
import { guardRun } from './run-guard.ts'
import { loadRunSettings, settledRun } from './run-settings.ts'
import { withFailures } from './to-failure.ts'

export interface TaskActivityDeps extends AskDeps, DecideDeps {
  /** Who decides all but quick tasks; default: this thread. */
  readonly decider?: Pick<TaskDecider, 'decide'> | undefined
}

export function createTaskActivities(deps: TaskActivityDeps): TaskActivities {
  const { db } = deps
  const ownDecider = createTaskDecider(deps)
  const { decider = ownDecider } = deps
  return {
    askAndDecide: ({ runId, task, position }) =>
      withFailures(() =>
        withHeartbeat(async () => {
          const key = { runId, task }
          const run = await guardRun(db, runId)
          await askTask(deps, run, key, position)
          return { undecided: await decider.decide(key, run, cancellationSignal()) }
        }),
      ),

    // Local: there is nobody to tell that it lives, and it is over before anybody asks.
    decideAtOnce: ({ runId, task }) =>
      withFailures(async () => ({
        isDone: await ownDecider.decideAtOnce({ runId, task }, await settledRun(db, runId)),
      })),

    askLookups: ({ runId, task, position }) =>
      withFailures(() =>
        withHeartbeat(async () => ({
          asked: await askTask(deps, await guardRun(db, runId), { runId, task }, position),
        })),
      ),

    decideSubjects: ({ runId, task }) =>
      withFailures(() =>
        withHeartbeat(async () => ({
          undecided: await decider.decide(
            { runId, task },
            await loadRunSettings(db, runId),
            cancellationSignal(),
          ),
        })),
      ),
  }
}
