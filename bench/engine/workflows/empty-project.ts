/** The barest parent of the barest children: what a run costs of which nothing but the engine is left. */
import { startChild, workflowInfo } from '@temporalio/workflow'
import {
  awaitedChild,
  type ChildrenInFlight,
  runChild,
} from '../../../src/workflows/children-in-flight.ts'
import { taskNumbers } from '../../../src/workflows/task-numbers.ts'
import { runWindow } from '../../../src/workflows/task-window.ts'

export interface EmptyProjectInput {
  readonly tasks: number
  /** In flight. */
  readonly window: number
}

export async function emptyProject({ tasks, window }: EmptyProjectInput): Promise<void> {
  const children: ChildrenInFlight = new Set()
  const { workflowId: ours } = workflowInfo()
  await runWindow(
    taskNumbers({ first: 1, count: tasks }),
    { size: () => window, mayStart: () => true },
    (task) =>
      runChild(children, {
        id: `${ours}/task-${task}`,
        news: () => ({ resumes: 0 }),
        start: (workflowId) => startChild(emptyTask, { ...awaitedChild, workflowId }),
      }),
  )
}

export async function emptyTask(): Promise<void> {
  // Nothing.
}
