/**
 * The dispatcher of a queue of files.
 *
 *   take up ──▶ look ──▶ start as many lanes as find something ──▶ look again, when one has ended …
 *                 │ nothing is due                    │ the disk is full: everything pauses
 *                 ├── nothing is left: the end, or wait for more
 *                 └── many events ──▶ continue as new, when no lane is left
 *
 * A lane is an activity that claims and fetches files one after the other; when its time is over it begins anew, so that a
 * worker which was added gets its share. Where every job stands is in Postgres; this workflow carries nothing. Cancel:
 * running transfers are ended and awaited, what was not finished waits again.
 *
 * Executions that began before there were lanes claim a window of jobs, and run an activity for each.
 */
import {
  CancellationScope,
  condition,
  ContinueAsNew,
  continueAsNew,
  isCancellation,
  patched,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow'
import type { DownloadActivities } from '../activities/activity-contracts.ts'
import type { DownloadQueueInput, LanesLook } from '../core/download/download-queue.ts'
import { databaseProfile, laneProfile, transferProfile } from './activity-options.ts'
import { cancelWins, throwCancellation } from './cancel-wins.ts'
import { failureText } from './failure-text.ts'
import {
  downloadProgressQuery,
  drainSignal,
  jobsAddedSignal,
  pauseSignal,
  resumeSignal,
} from './messages.ts'

const {
  openDownloads,
  lookDownloads,
  failLane,
  claimDownloads,
  failDownload,
  pauseDownloads,
  resumeDownloads,
  closeDownloads,
} = proxyActivities<DownloadActivities>(databaseProfile)
const { downloadArtifact } = proxyActivities<DownloadActivities>(transferProfile)
const { fetchInLane } = proxyActivities<DownloadActivities>(laneProfile)

/** A lane costs about five events in half a minute; the server warns at 10,000, and ends an execution at 51,200. */
const EVENTS_PER_EXECUTION = 6_000
/** From here on what runs is awaited however long it takes. */
const MOST_EVENTS = 40_000
/** A transfer that takes longer holds nobody up: the window goes on, and tries again after so many events. */
const AWAIT_MS = 60_000
const MORE_EVENTS = 1_000
/** Nobody has to say that there is more to do. */
const IDLE_MS = 30_000
/** A window that is half empty is filled at once, another one a little later. */
const REFILL_MS = 1_000

export async function downloadQueue(
  input: DownloadQueueInput,
): Promise<{ readonly queue: string }> {
  const { queue } = input
  const { firstExecutionRunId: temporalRunId, runId, workflowId } = workflowInfo()
  const inFlight = new Set<Promise<void>>()
  let hasLanes = true
  const commands: ('resume' | { readonly reason: string })[] = []
  const state = {
    pausedReason: null as string | null,
    drain: input.drain,
    /** Something has changed that may let more be claimed. */
    isNews: true,
    ended: 0,
    failure: undefined as { readonly error: unknown } | undefined,
    phase: 'running' as 'running' | 'idle' | 'finished',
    eventLimit: input.eventsPerExecution ?? EVENTS_PER_EXECUTION,
  }
  setHandler(pauseSignal, (request) => void commands.push(request))
  setHandler(resumeSignal, () => void commands.push('resume'))
  setHandler(jobsAddedSignal, () => void (state.isNews = true))
  setHandler(drainSignal, () => {
    state.drain = true
    state.isNews = true
  })
  setHandler(downloadProgressQuery, () => ({
    queue,
    phase: state.pausedReason === null ? state.phase : 'paused',
    pausedReason: state.pausedReason,
    inFlight: inFlight.size,
    ended: state.ended,
  }))

  async function obey(): Promise<void> {
    for (let command = commands.shift(); command !== undefined; command = commands.shift()) {
      if (command === 'resume') {
        await resumeDownloads({ queue })
        state.pausedReason = null
      } else {
        await pauseDownloads({ queue, reason: command.reason })
        state.pausedReason = command.reason
      }
      state.isNews = true
    }
  }

  const pauseAll = (reason: string): void => void (state.pausedReason = reason)

  function keep(work: Promise<void>): void {
    const running: Promise<void> = work
      .catch((error: unknown) => {
        // A defect must not be hidden by the cancellation that follows it.
        if (state.failure === undefined || isCancellation(state.failure.error)) {
          state.failure = { error }
        }
      })
      .finally(() => {
        inFlight.delete(running)
        if (!hasLanes) state.ended += 1
        state.isNews = true
      })
    inFlight.add(running)
  }

  const mayGoOn = (): boolean =>
    state.pausedReason === null &&
    state.failure === undefined &&
    commands.length === 0 &&
    workflowInfo().historyLength < state.eventLimit

  async function runLane(lane: string): Promise<void> {
    let isMore = true
    while (isMore) {
      try {
        const end = await fetchInLane({ queue, lane, temporalRunId, workflowId })
        state.ended += end.ended
        if (end.pausedReason !== null) pauseAll(end.pausedReason)
        isMore = end.isMore && mayGoOn()
      } catch (error) {
        if (isCancellation(error) && CancellationScope.current().consideredCancelled) throw error
        const { failed } = await failLane({ queue, lane, ...failureText(error) })
        // It is no file that breaks it: to begin anew would only hide that.
        if (failed === 0) throw error
        isMore = mayGoOn()
      }
    }
  }

  /** Starts what is to be started. */
  async function look(nth: number): Promise<Look> {
    const lanes = inFlight.size
    const seen = await lookDownloads({ queue, lanes, temporalRunId })
    const free = seen.window - inFlight.size
    const more = seen.pausedReason === null ? Math.max(0, Math.min(seen.wanted, free)) : 0
    for (let index = 0; index < more; index++) keep(runLane(`${runId}/${nth}.${index}`))
    return seen
  }

  /** As `look`, before there were lanes. */
  async function claim(nth: number): Promise<Look> {
    const name = `${runId}/${nth}`
    const busy = inFlight.size
    const claimed = await claimDownloads({ queue, claim: name, busy, temporalRunId, workflowId })
    for (const jobId of claimed.jobIds) keep(fetchOne({ queue, jobId, claim: name }, pauseAll))
    return { ...claimed, isLeft: claimed.queued > 0 }
  }

  /** @returns when the workflow is over; else it is to continue as new */
  async function dispatch(): Promise<'over' | 'continue'> {
    for (let nth = 0; ;) {
      await obey()
      if (state.failure !== undefined) throw state.failure.error
      if (workflowInfo().historyLength >= state.eventLimit) {
        const isLast = workflowInfo().historyLength >= MOST_EVENTS
        const isEmpty = () => inFlight.size === 0 || commands.length > 0
        if (isLast) await condition(isEmpty)
        else await condition(isEmpty, AWAIT_MS)
        if (inFlight.size === 0 && commands.length === 0) return 'continue'
        if (commands.length === 0) state.eventLimit = workflowInfo().historyLength + MORE_EVENTS
        continue
      }
      if (state.pausedReason !== null) {
        await condition(() => commands.length > 0 || state.failure !== undefined)
        continue
      }
      state.isNews = false
      const seen = hasLanes ? await look(nth++) : await claim(nth++)
      if (seen.pausedReason !== null) {
        state.pausedReason = seen.pausedReason
        continue
      }
      const size = inFlight.size
      if (size === 0 && !seen.isLeft && state.drain && commands.length === 0 && !state.isNews) {
        return 'over'
      }
      state.phase = size === 0 ? 'idle' : 'running'
      tell(queue, state.ended, size)
      const waitMs = Math.max(100, Math.min(seen.nextDueMs ?? IDLE_MS, IDLE_MS))
      const mayAct = () => state.isNews || commands.length > 0
      if (size >= seen.window) await condition(mayAct)
      else await condition(mayAct, waitMs)
      const isWorth = () =>
        inFlight.size <= size / 2 || commands.length > 0 || state.failure !== undefined
      if (!isWorth()) await condition(isWorth, REFILL_MS)
    }
  }

  try {
    hasLanes = patched('lanes')
    const opened = await openDownloads({ queue, temporalRunId })
    state.pausedReason = opened.pausedReason
    let end: 'over' | 'continue'
    try {
      end = await dispatch()
    } finally {
      await Promise.all(inFlight)
    }
    if (end === 'continue') {
      await throwCancellation()
      await continueAsNew<typeof downloadQueue>({ ...input, drain: state.drain })
    }
    state.phase = 'finished'
    await closeDownloads({ queue, temporalRunId })
    return { queue }
  } catch (error) {
    if (error instanceof ContinueAsNew) throw error
    await CancellationScope.nonCancellable(() => closeDownloads({ queue, temporalRunId }))
    throw cancelWins(error)
  }
}

type Look = Pick<LanesLook, 'isLeft' | 'nextDueMs' | 'window' | 'pausedReason'>

/** @param pause told why the whole queue stands still from now on */
async function fetchOne(
  job: { readonly queue: string; readonly jobId: number; readonly claim: string },
  pause: (reason: string) => void,
): Promise<void> {
  try {
    const { pausedReason } = await downloadArtifact(job)
    if (pausedReason !== null) pause(pausedReason)
  } catch (error) {
    if (isCancellation(error) && CancellationScope.current().consideredCancelled) throw error
    await failDownload({ jobId: job.jobId, claim: job.claim, ...failureText(error) })
  }
}

// Shown by the Temporal UI.
function tell(queue: string, ended: number, inFlight: number): void {
  setCurrentDetails(
    `**Fetching** files of queue ${queue}: ${inFlight} on their way, ${ended} done by this execution.`,
  )
}
