import { cancellationSignal } from '@temporalio/activity'
import type { TaskActivities } from './activity-contracts.ts'
import { createAskAhead } from './ask-ahead.ts'
import { askTask, type AskDeps } from './ask-task.ts'
import { createTaskDecider, type DecideDeps, type TaskDecider } from './decide-task.ts'
import { withHeartbeat } from './heartbeat.ts'
import { guardRun } from './run-guard.ts'
import { loadRunSettings, settledRun } from './run-settings.ts'
import { withFailures } from './to-failure.ts'
import { createTaskTrace } from './traces/task-trace.ts'
import type { Tracer } from './traces/tracer.ts'

export interface TaskActivityDeps extends AskDeps, DecideDeps {
  readonly tracer: Tracer
  /** Who decides all but quick tasks; default: this thread. */
  readonly decider?: Pick<TaskDecider, 'decide'> | undefined
  /** Aborted once the worker begins no request any more. */
  readonly stopping?: AbortSignal | undefined
}

export function createTaskActivities(deps: TaskActivityDeps): TaskActivities {
  const { db, tracer } = deps
  const ownDecider = createTaskDecider(deps)
  const { decider = ownDecider } = deps
  const ahead = createAskAhead(deps.stopping)
  return {
    askAndDecide: ({ runId, task, position }) =>
      withFailures(() =>
        withHeartbeat(async () => {
          const key = { runId, task }
          const signal = cancellationSignal()
          const undecided = await ahead.run(runId, signal, {
            async ask() {
              const run = await guardRun(db, runId)
              const trace = createTaskTrace(tracer, run, key)
              await trace.ask(position, () => askTask(deps, run, key, position))
              return { run, trace }
            },
            decide: ({ run, trace }) => trace.decide(() => decider.decide(key, run, signal)),
          })
          return { undecided }
        }),
      ),

    // Local: there is nobody to tell that it lives, and it is over before anybody asks.
    decideAtOnce: ({ runId, task }) =>
      withFailures(async () => {
        const run = await settledRun(db, runId)
        const key = { runId, task }
        return createTaskTrace(tracer, run, key).decideAtOnce(async () => ({
          isDone: await ownDecider.decideAtOnce(key, run),
        }))
      }),

    askLookups: ({ runId, task, position }) =>
      withFailures(() =>
        withHeartbeat(async () => {
          const key = { runId, task }
          const run = await guardRun(db, runId)
          const ask = () => askTask(deps, run, key, position)
          return { asked: await createTaskTrace(tracer, run, key).ask(position, ask) }
        }),
      ),

    decideSubjects: ({ runId, task }) =>
      withFailures(() =>
        withHeartbeat(async () => {
          const key = { runId, task }
          const run = await loadRunSettings(db, runId)
          const decide = () => decider.decide(key, run, cancellationSignal())
          return { undecided: await createTaskTrace(tracer, run, key).decide(decide) }
        }),
      ),
  }
}
