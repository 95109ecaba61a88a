/** Parents whose children are told something while their start is on its way, and children that say what they were told. */
import {
  CancellationScope,
  condition,
  continueAsNew,
  proxyActivities,
  setHandler,
  startChild,
  workflowInfo,
} from '@temporalio/workflow'
import { databaseProfile } from '../../../src/workflows/activity-options.ts'
import {
  awaitedChild,
  type ChildrenInFlight,
  runChild,
  type RunNews,
} from '../../../src/workflows/children-in-flight.ts'
import { cancelWins, throwCancellation } from '../../../src/workflows/cancel-wins.ts'
import { resumeSignal, setWindowSignal } from '../../../src/workflows/messages.ts'

export interface TestActivities {
  /** Fails, to be tried again, some time after it was begun; hears of nothing meanwhile. */
  endsWithAWait(): Promise<void>
}

const { endsWithAWait } = proxyActivities<TestActivities>(databaseProfile)

/** Cancels its child in the very task that asks for its start. */
export async function cancelsWhatItStarts(): Promise<void> {
  const scope = new CancellationScope()
  const child = scope.run(() =>
    runChild(new Set(), {
      id: `${workflowInfo().workflowId}/child`,
      news: () => ({ resumes: 0 }),
      start: (workflowId) => startChild(waitsForEver, { ...awaitedChild, workflowId }),
    }),
  )
  await Promise.resolve()
  scope.cancel()
  await child
}

/** Is cancelled while an attempt is on its way that will only say that it has to wait. */
export async function waitsWhileCancelled(): Promise<void> {
  try {
    await endsWithAWait()
  } catch (error) {
    throw cancelWins(error)
  }
}

/** Has a resume and another window between the start of its child and the answer to it. */
export async function hasNewsMeanwhile(): Promise<RunNews> {
  const children: ChildrenInFlight = new Set()
  const all: RunNews[] = [
    { resumes: 1, window: 9 },
    { resumes: 2, window: 3 },
  ]
  let heard: RunNews | undefined
  await runChild(children, {
    id: `${workflowInfo().workflowId}/child`,
    news: () => all.shift() ?? { resumes: 0 },
    start: async (workflowId, told) => {
      const handle = await startChild(saysWhatItHears, {
        ...awaitedChild,
        workflowId,
        args: [told],
      })
      void handle.result().then((said) => (heard = said))
      return handle
    },
  })
  await condition(() => heard !== undefined)
  return heard ?? { resumes: 0 }
}

/** Awaits a child that has continued as new, and is cancelled meanwhile. */
export async function awaitsAChain(): Promise<void> {
  await runChild(new Set(), {
    id: `${workflowInfo().workflowId}/child`,
    isChained: true,
    news: () => ({ resumes: 0 }),
    start: (workflowId) =>
      startChild(continuesOnce, { ...awaitedChild, workflowId, args: [{ isFirst: true }] }),
  })
}

export async function waitsForEver(): Promise<void> {
  await condition(() => false)
}

export async function saysWhatItHears(told: RunNews): Promise<RunNews> {
  let { resumes, window = 0 } = told
  let messages = 0
  setHandler(setWindowSignal, (request) => {
    window = request.window
    messages += 1
  })
  setHandler(resumeSignal, (notice) => {
    resumes = notice?.resumes ?? resumes
    messages += 1
  })
  await condition(() => messages === 2)
  return { resumes, window }
}

export async function continuesOnce({ isFirst }: { readonly isFirst: boolean }): Promise<void> {
  if (isFirst) {
    await throwCancellation()
    await continueAsNew<typeof continuesOnce>({ isFirst: false })
  }
  await condition(() => false)
}
