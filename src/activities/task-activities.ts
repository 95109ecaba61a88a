import type { TaskActivities } from './activity-contracts.ts'
import { askTask, type AskDeps } from './ask-task.ts'
import { createTaskDecider, type DecideDeps } from './decide-task.ts'
import { withHeartbeat } from './heartbeat.ts'
import { guardRun } from './run-guard.ts'
import { loadRunSettings } from './run-settings.ts'
import { withFailures } from './to-failure.ts'

export type TaskActivityDeps = AskDeps & DecideDeps

export function createTaskActivities(deps: TaskActivityDeps): TaskActivities {
  const { db } = deps
  const decider = createTaskDecider(deps)
  return {
    askAndDecide: ({ runId, task, position }) =>
      withFailures(() =>
        withHeartbeat(async () => {
          const key = { runId, task }
          const run = await guardRun(db, runId)
          await askTask(deps, run, key, position)
          return { undecided: await decider.decide(key, run) }
        }),
      ),

    // Local: there is nobody to tell that it lives, and it is over before anybody asks.
    decideAtOnce: ({ runId, task }) =>
      withFailures(async () => ({
        isDone: await decider.decideAtOnce({ runId, task }, await guardRun(db, runId)),
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
          undecided: await decider.decide({ runId, task }, await loadRunSettings(db, runId)),
        })),
      ),
  }
}
