import {
  CancellationScope,
  type ChildWorkflowHandle,
  ChildWorkflowCancellationType,
  getExternalWorkflowHandle,
  ParentClosePolicy,
  patched,
  type SignalDefinition,
  type Workflow,
  workflowInfo,
} from '@temporalio/workflow'
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common'
import type { ResumeNotice } from '../core/run-progress.ts'
import { resumeSignal, setWindowSignal } from './messages.ts'
import { unlessGone } from './unless-gone.ts'

type Child = ChildWorkflowHandle<Workflow>

/** Children that were started and have not ended. */
export type ChildrenInFlight = Set<Child>

/** Children of a parent that awaits them all: cancelled with it, and awaited until they have stopped. */
export const awaitedChild = {
  cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
  parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
} as const

const MOST_RESETS = 9
/** A history may have 51,200 events (research/temporal.md §1.2). Each task that is told something adds two or three. */
const MOST_EVENTS_TO_TELL_ALL = 20_000
/** Who are told then: they go on, and tell when they are turned away again. */
const SCOUTS = 4

/** What changes in a run, and its children are told. */
export interface RunNews {
  /** Resumes of the run so far. */
  readonly resumes: number
  /** Tasks that a shard may have in flight. */
  readonly window?: number
}

export interface ChildPlan {
  readonly id: string
  /** What it would be told now; asked before and after its start. */
  readonly news: () => RunNews
  readonly start: (workflowId: string, told: RunNews) => Promise<Child>
  /** It may continue as new, and its first execution be over. */
  readonly isChained?: boolean
}

/**
 * Starts a child and awaits its end. What is said while its start is on its way, a cancellation or news, reaches it when it
 * is there. After a reset its first execution may still run under the id: then `-r2`, `-r3`, … is taken.
 */
export async function runChild(children: ChildrenInFlight, plan: ChildPlan): Promise<void> {
  const told = plan.news()
  const begin = () => startUnderFreeId(plan, told)
  const handle = await (patched('late-cancel') ? startedThenTold(plan, begin) : begin())
  children.add(handle)
  try {
    await tellWhatIsNew(handle, told, plan.news())
    await handle.result()
  } finally {
    children.delete(handle)
  }
}

/**
 * A cancellation that comes while a start is on its way never reaches the child: neither the SDK nor the server passes it on,
 * and the parent awaits a child that nobody asked to end. So it is kept back until the child is there.
 */
async function startedThenTold(
  { isChained = false }: ChildPlan,
  begin: () => Promise<Child>,
): Promise<Child> {
  const parent = CancellationScope.current()
  if (parent.consideredCancelled) await parent.cancelRequested
  return CancellationScope.nonCancellable(async () => {
    const own = new CancellationScope()
    const handle = await own.run(begin)
    parent.cancelRequested.catch(async () => {
      own.cancel()
      if (isChained) await cancelNewest(handle)
    })
    return handle
  })
}

/** The scope names the first execution of a child to the server, which does nothing where that one is over. */
async function cancelNewest({ workflowId }: Child): Promise<void> {
  await CancellationScope.nonCancellable(() =>
    unlessGone(getExternalWorkflowHandle(workflowId).cancel()),
  )
}

async function tellWhatIsNew(child: Child, told: RunNews, now: RunNews): Promise<void> {
  const hasOtherWindow = now.window !== told.window
  const isResumed = now.resumes !== told.resumes
  if ((!hasOtherWindow && !isResumed) || !patched('late-news')) return
  await CancellationScope.nonCancellable(async () => {
    const { window, resumes } = now
    if (hasOtherWindow && window !== undefined)
      await unlessGone(child.signal(setWindowSignal, { window }))
    if (isResumed) await unlessGone(child.signal(resumeSignal, { resumes }))
  })
}

async function startUnderFreeId({ id, start }: ChildPlan, told: RunNews): Promise<Child> {
  for (let reset = 1; ; reset += 1) {
    try {
      return await start(reset === 1 ? id : `${id}-r${reset}`, told)
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError) || reset >= MOST_RESETS) {
        throw error
      }
    }
  }
}

/** A message to all that run. */
export async function tellChildren<Args extends unknown[]>(
  children: Iterable<Child>,
  signal: SignalDefinition<Args>,
  ...args: Args
): Promise<void> {
  await Promise.all([...children].map((child) => unlessGone(child.signal(signal, ...args))))
}

/**
 * Lets tasks that wait go on at once. In a history that has grown by many resumes only a few are told: the others find out by
 * themselves, after as long as they have waited and at the latest in an hour (`waitForResume`).
 */
export async function resumeTasks(tasks: ChildrenInFlight, notice: ResumeNotice): Promise<void> {
  const most = tasksToTell(workflowInfo().historyLength)
  const told = tasks.size > most && patched('scouts') ? [...tasks].slice(0, most) : tasks
  await tellChildren(told, resumeSignal, notice)
}

/** @param events of the history so far */
export function tasksToTell(events: number): number {
  return events > MOST_EVENTS_TO_TELL_ALL ? SCOUTS : Infinity
}
