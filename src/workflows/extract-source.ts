/**
 * One extraction, from taking it up to closing it.
 *
 *   take up ──▶ content types, as many at once as there are workers ──▶ close ──▶ completed, or with errors
 *                        │ a type is turned away: everything pauses
 *                        └── resume ──▶ one request as a probe ──▶ go on
 *
 * A type that breaks is noted, and the others go on. Cancel: the types are awaited, then the run closes; what is stored
 * stays, and a resume goes on from there. Where everything stands is in Postgres: this workflow carries nothing.
 */
import {
  CancellationScope,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  startChild,
  workflowInfo,
} from '@temporalio/workflow'
import type {
  ExtractRunActivities,
  ExtractTypeActivities,
} from '../activities/activity-contracts.ts'
import {
  type ExtractEnd,
  type ExtractSourceInput,
  type OpenedExtract,
  PAGES_PER_EXECUTION,
} from '../core/extract/extract-run.ts'
import { extractTypeId } from '../core/workflow-ids.ts'
import { databaseProfile, outsideProfile } from './activity-options.ts'
import { alongside } from './alongside.ts'
import { cancelWins } from './cancel-wins.ts'
import { awaitedChild, type ChildrenInFlight, runChild } from './children-in-flight.ts'
import { extractContentType } from './extract-content-type.ts'
import { failureText } from './failure-text.ts'
import { progressQuery } from './messages.ts'
import { createRunPause, type RunPause } from './run-pause.ts'
import { taskNumbers } from './task-numbers.ts'
import { runWindow } from './task-window.ts'

const { openExtract, pauseExtract, resumeExtract, closeExtract, stopExtract, failType } =
  proxyActivities<ExtractRunActivities & ExtractTypeActivities>(databaseProfile)
const { checkSource } = proxyActivities<ExtractRunActivities>(outsideProfile)

export async function extractSource(
  input: ExtractSourceInput,
): Promise<{ readonly status: ExtractEnd }> {
  const { runId } = input
  const children: ChildrenInFlight = new Set()
  const pause = createRunPause({
    pause: pauseExtract,
    resume: resumeExtract,
    probe: (id) => checkSource({ runId: id }),
  })
  const state = { total: 0, done: 0, isOver: false }
  setHandler(progressQuery, () => ({
    run: runId,
    phase: pause.pausedReason !== null ? 'paused' : state.isOver ? 'finished' : 'running',
    tasksTotal: state.total,
    tasksDone: state.done,
    tasksInFlight: children.size,
  }))
  try {
    const temporalRunId = workflowInfo().firstExecutionRunId
    const opened = await openExtract({ runId, temporalRunId })
    state.total = opened.types.length
    await alongside(
      () => pause.keepInStep(runId, children),
      () => runTypes(input, opened, { pause, children, state }),
    )
    state.isOver = true
    return await closeExtract({ runId })
  } catch (failure) {
    const error = cancelWins(failure)
    await CancellationScope.nonCancellable(async () => {
      const ending = isCancellation(error)
        ? ({ status: 'cancelled', code: null, message: null } as const)
        : ({ status: 'failed', ...failureText(error) } as const)
      await stopExtract({ runId, ...ending })
    })
    throw error
  }
}

async function runTypes(
  input: ExtractSourceInput,
  { source, types, workers, queueSize, rereads = 0 }: OpenedExtract,
  run: {
    readonly pause: RunPause
    readonly children: ChildrenInFlight
    readonly state: { done: number; readonly total: number }
  },
): Promise<void> {
  const { pause, children, state } = run
  const atOnce = Math.min(workers, types.length)
  const part = Math.max(1, Math.floor(workers / Math.max(1, atOnce)))
  const window = { size: () => atOnce, mayStart: () => pause.isRunning }
  await runWindow(taskNumbers({ first: 0, count: types.length }), window, async (number) => {
    const type = types[number] ?? ''
    const { runId, pagesPerExecution = PAGES_PER_EXECUTION } = input
    try {
      await runChild(children, {
        id: extractTypeId(runId, type),
        isChained: true,
        news: () => ({ resumes: pause.resumes }),
        start: (workflowId, { resumes }) =>
          startChild(extractContentType, {
            ...awaitedChild,
            workflowId,
            args: [
              {
                runId,
                type,
                workers: part,
                queueSize,
                rootWorkflowId: workflowInfo().workflowId,
                resumes,
                pagesPerExecution,
                rereads,
              },
            ],
            staticSummary: `${type} of extraction ${runId}`,
          }),
      })
    } catch (error) {
      if (isCancellation(error) && CancellationScope.current().consideredCancelled) throw error
      await failType({ runId, type, ...failureText(error) })
    }
    state.done += 1
    setCurrentDetails(
      `**Extracting** from ${source}: ${state.done} of ${state.total} content types done.`,
    )
  })
}
