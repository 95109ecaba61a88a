import {
  CancellationScope,
  type ChildWorkflowHandle,
  ChildWorkflowCancellationType,
  ParentClosePolicy,
  patched,
  type SignalDefinition,
  type Workflow,
} from '@temporalio/workflow'
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common'
import type { PauseRequest, ResumeNotice } from '../core/run-progress.ts'
import { pauseSignal, resumeSignal } from './messages.ts'
import { unlessGone } from './unless-gone.ts'

/** Children that were started and have not ended. */
export type ChildrenInFlight = Set<ChildWorkflowHandle<Workflow>>

/** Children of a parent that awaits them all: cancelled with it, and awaited until they have stopped. */
export const awaitedChild = {
  cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
  parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
} as const

const MOST_RESETS = 9

/**
 * Starts a child and awaits its end. After a reset its first execution may still run under the id: then `-r2`, `-r3`, …
 * is taken.
 */
export async function runChild(
  children: ChildrenInFlight,
  id: string,
  start: (workflowId: string) => Promise<ChildWorkflowHandle<Workflow>>,
): Promise<void> {
  const begin = () => startUnderFreeId(id, start)
  const handle = await (patched('late-cancel') ? startedThenTold(begin) : begin())
  children.add(handle)
  try {
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
  start: () => Promise<ChildWorkflowHandle<Workflow>>,
): Promise<ChildWorkflowHandle<Workflow>> {
  const parent = CancellationScope.current()
  if (parent.consideredCancelled) await parent.cancelRequested
  return CancellationScope.nonCancellable(async () => {
    const own = new CancellationScope()
    const handle = await own.run(start)
    parent.cancelRequested.catch(() => own.cancel())
    return handle
  })
}

async function startUnderFreeId(
  id: string,
  start: (workflowId: string) => Promise<ChildWorkflowHandle<Workflow>>,
): Promise<ChildWorkflowHandle<Workflow>> {
  for (let reset = 1; ; reset += 1) {
    try {
      return await start(reset === 1 ? id : `${id}-r${reset}`)
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError) || reset >= MOST_RESETS) {
        throw error
      }
    }
  }
}

/** A message to all that run. */
export async function tellChildren<Payload>(
  children: ChildrenInFlight,
  signal: SignalDefinition<[Payload]>,
  payload: Payload,
): Promise<void> {
  await Promise.all([...children].map((child) => unlessGone(child.signal(signal, payload))))
}

export async function resumeChildren(
  children: ChildrenInFlight,
  notice: ResumeNotice,
): Promise<void> {
  await Promise.all([...children].map((child) => unlessGone(child.signal(resumeSignal, notice))))
}

export async function pauseChildren(
  children: ChildrenInFlight,
  request: PauseRequest,
): Promise<void> {
  await tellChildren(children, pauseSignal, request)
}
