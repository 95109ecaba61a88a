/**
 * A range of at most some hundred tasks of a large run. It awaits all its tasks and ends without continuing as new, so
 * that every child is awaited by a parent that is still there (DESIGN §2.3). Pause, resume and a new window come from
 * the project.
 */
import { condition } from '@temporalio/workflow'
import type { MatchShardInput } from '../core/match-run.ts'
import { alongside } from './alongside.ts'
import { type ChildrenInFlight, resumeChildren } from './children-in-flight.ts'
import { createResumeGate, type ResumeGate } from './resume-gate.ts'
import { createRunWindow } from './run-window.ts'
import { runMatchTask } from './run-match-task.ts'
import { taskNumbers } from './task-numbers.ts'
import { runWindow } from './task-window.ts'

export async function matchShard(input: MatchShardInput): Promise<void> {
  const { run, rootWorkflowId } = input
  const gate = createResumeGate(input.resumes)
  const window = createRunWindow(input.window)
  const children: ChildrenInFlight = new Set()
  await alongside(
    () => passOnResumes(gate, children),
    () =>
      runWindow(
        taskNumbers(input.tasks),
        { size: () => window.size, mayStart: () => gate.isOpen },
        (task) => runMatchTask(children, { run, task, rootWorkflowId, resumes: gate.resumes }),
      ),
  )
}

async function passOnResumes(gate: ResumeGate, children: ChildrenInFlight): Promise<void> {
  for (let passedOn = gate.resumes; ;) {
    await condition(() => gate.resumes > passedOn)
    passedOn = gate.resumes
    await resumeChildren(children, { resumes: passedOn })
  }
}
