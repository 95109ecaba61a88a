/**
 * A range of at most some hundred tasks of a large run. It awaits all its tasks and ends without continuing as new, so
 * that every child is awaited by a parent that is still there (DESIGN §2.3). Pause, resume and a new window come from
 * the project; the project is told when only a few tasks are left, so that others may have what they leave free.
 */
import { condition, patched } from '@temporalio/workflow'
import { isQuick, type MatchShardInput } from '../core/match-run.ts'
import { alongside } from './alongside.ts'
import { type ChildrenInFlight, resumeTasks } from './children-in-flight.ts'
import { createResumeGate, type ResumeGate } from './resume-gate.ts'
import { createRunWindow } from './run-window.ts'
import { shardRestSignal } from './messages.ts'
import { runMatchTask } from './run-match-task.ts'
import { taskNumbers } from './task-numbers.ts'
import { runWindow } from './task-window.ts'
import { tellParent } from './tell-parent.ts'

/** Of its tasks in flight; with so few left the project is told. */
const REST_SHARE = 0.25

export async function matchShard(input: MatchShardInput): Promise<void> {
  const { run, rootWorkflowId } = input
  const gate = createResumeGate(input.resumes)
  const window = createRunWindow(input.window)
  const children: ChildrenInFlight = new Set()
  const tellsRest = patched('shard-rest')
  let areAllStarted = false
  let left = 0
  const rest = async (): Promise<void> => {
    const few = Math.max(1, Math.floor(input.window * REST_SHARE))
    await condition(() => areAllStarted && left <= few)
    const { first: firstTask } = input.tasks
    await tellParent(shardRestSignal, { firstTask, left })
  }
  await alongside(
    async () => {
      await Promise.all([passOnResumes(gate, children), ...(tellsRest ? [rest()] : [])])
    },
    () =>
      runWindow(
        withEnd(taskNumbers(input.tasks), () => (areAllStarted = true)),
        { size: () => window.size, mayStart: () => gate.isOpen },
        async (task) => {
          left += 1
          await runMatchTask(
            children,
            { run, task, rootWorkflowId, isQuick: isQuick(input.tasks, task) },
            () => ({ resumes: gate.resumes }),
          )
          left -= 1
        },
      ),
  )
}

/** Calls `onEnd` when somebody wants more than there is. */
function* withEnd(numbers: Iterable<number>, onEnd: () => void): Generator<number> {
  yield* numbers
  onEnd()
}

async function passOnResumes(gate: ResumeGate, children: ChildrenInFlight): Promise<void> {
  for (let passedOn = gate.resumes; ;) {
    await condition(() => gate.resumes > passedOn)
    passedOn = gate.resumes
    await resumeTasks(children, { resumes: passedOn })
  }
}
