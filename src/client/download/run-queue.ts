import {
  addSample,
  durationText,
  type RateSample,
  ratePerSecond,
  timeLeftMs,
} from '../../core/work-rate.ts'
import { noteQueueCancel, setQueuePaused } from '../../db/download-queues.repo.ts'
import { queueStats } from '../../db/job-report.repo.ts'
import { downloadQueueId } from '../../core/workflow-ids.ts'
import { PAUSED_BY_USER } from '../../core/run-progress.ts'
import type { downloadQueue } from '../../workflows/download-queue.ts'
import { pauseSignal, resumeSignal } from '../../workflows/messages.ts'
import type { DownloadSetFlags, QueueFlag } from '../commands/download-flags.ts'
import type { OutputFlag } from '../commands/download.ts'
import { exitCodes } from '../exit-codes.ts'
import { followWorkflow } from '../match/follow-workflow.ts'
import { type MatchContext, withMatchContext, workflowUrl } from '../match/match-context.ts'
import { type EndingWorkflow, runEnd } from '../match/run-end.ts'
import { runningExecution } from '../match/running-execution.ts'
import { printAnswer, say } from '../output.ts'
import { bytesText } from './bytes-text.ts'
import {
  knownQueue,
  reconciledQueue,
  setUpQueue,
  startDispatcher,
  tellDispatcher,
} from './opened-queue.ts'
import { exitFor, printQueue } from './queue-report.ts'
import { isNotFound } from '../match/is-not-found.ts'

export interface RunQueueFlags extends DownloadSetFlags, OutputFlag {
  readonly drain?: true
  readonly detach?: true
}

/** The command `download run`. */
export async function runQueue(flags: RunQueueFlags): Promise<void> {
  await withMatchContext(async (context) => {
    const { client, db, stack } = context
    const { queue: name } = flags
    await setUpQueue(db, flags)
    const queue = await reconciledQueue(client, db, name)
    if (queue.pausedReason !== null) {
      say(`The queue is paused: ${queue.pausedReason}`)
      say(`Let it go on: ./record-linker download resume --queue ${name}`)
    }
    const isJoined = queue.temporalRunId !== null
    const handle = await startDispatcher(client, name, { drain: flags.drain === true })
    const url = workflowUrl(stack, downloadQueueId(name))
    say(
      `${isJoined ? 'Joined' : 'Started'} the queue ${name}.${url === undefined ? '' : ` Web UI: ${url}`}`,
    )
    if (flags.detach === true) {
      await printQueue(db, await knownQueue(db, name), flags.output)
      return
    }
    const end = await follow(context, name, handle)
    if (end === 'left') {
      say(
        `\nLeft. It goes on; see: ./record-linker download stats --queue ${name}\nStop it: ./record-linker download cancel --queue ${name}`,
      )
      process.exitCode = exitCodes.interrupted
      return
    }
    const stats = await printQueue(db, await reconciledQueue(client, db, name), flags.output)
    process.exitCode =
      end === 'paused' || stats.states.queued > 0 ? exitCodes.failed : exitFor(stats)
  })
}

async function follow(
  context: MatchContext,
  name: string,
  handle: { readonly result: () => Promise<unknown> },
): Promise<'ended' | 'left' | 'paused'> {
  const { db } = context
  let samples: readonly RateSample[] = []
  return followWorkflow(context, handle, async () => {
    const { pausedReason } = await knownQueue(db, name)
    if (pausedReason !== null) return { text: `PAUSED: ${pausedReason}`, pausedReason }
    const { states, bytes } = await queueStats(db, name)
    const { queued, in_progress, done, skipped, error } = states
    const ended = done + skipped + error
    samples = addSample(samples, { atMs: Date.now(), done: ended })
    const left = timeLeftMs(samples, ended + queued + in_progress)
    const text = [
      `${ended}/${ended + queued + in_progress} files`,
      ...(error > 0 ? [`${error} failed`] : []),
      `${in_progress} on their way`,
      bytesText(bytes),
      `${ratePerSecond(samples).toFixed(1)} files/s`,
      ...(left === null ? [] : [`~${durationText(left)} left`]),
    ].join(' · ')
    return { text }
  })
}

/** The command `download pause`. */
export async function pauseQueue(flags: QueueFlag & OutputFlag): Promise<void> {
  await withMatchContext(async ({ client, db }) => {
    await reconciledQueue(client, db, flags.queue)
    // First the row, which every transfer reads before it begins.
    await setQueuePaused(db, flags.queue, PAUSED_BY_USER)
    await tellDispatcher(client, flags.queue, pauseSignal, [{ reason: PAUSED_BY_USER }])
    await printQueue(db, await knownQueue(db, flags.queue), flags.output)
  })
}

/** The command `download resume`. */
export async function resumeQueue(flags: QueueFlag & OutputFlag): Promise<void> {
  await withMatchContext(async ({ client, db }) => {
    await reconciledQueue(client, db, flags.queue)
    await setQueuePaused(db, flags.queue, null)
    await tellDispatcher(client, flags.queue, resumeSignal, [])
    await printQueue(db, await knownQueue(db, flags.queue), flags.output)
  })
}

/** `download cancel` without files: stops the dispatcher. */
export async function cancelQueue(
  flags: QueueFlag & OutputFlag & { readonly detach?: true },
): Promise<void> {
  await withMatchContext(async (context) => {
    const { client, db } = context
    const { queue: name } = flags
    const queue = await reconciledQueue(client, db, name)
    const handle = await askToCancelQueue(context, name)
    if (handle === undefined) {
      say('Nobody is fetching files of it.')
      await printQueue(db, queue, flags.output)
      return
    }
    if (flags.detach === true) {
      printAnswer(
        flags.output,
        { queue: name, status: 'cancelling' },
        () => `Queue ${name}: cancelling.`,
      )
      return
    }
    say('Cancelling: running transfers are ended, what is done stays …')
    await runEnd(context, handle, say)
    await printQueue(db, await reconciledQueue(client, db, name), flags.output)
  })
}

/**
 * Asks the dispatcher of a queue to stop; what is done stays. Returns before it has.
 * @returns undefined: none runs
 */
export async function askToCancelQueue(
  { client, db }: Pick<MatchContext, 'client' | 'db'>,
  queue: string,
): Promise<EndingWorkflow | undefined> {
  const running = await runningExecution<typeof downloadQueue>(client, downloadQueueId(queue))
  if (running === undefined) return undefined
  await noteQueueCancel(db, { queue, temporalRunId: running.firstRunId })
  try {
    await running.cancel()
    return running.handle
  } catch (error) {
    if (await isNotFound(error)) return undefined
    throw error
  }
}
