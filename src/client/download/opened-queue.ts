import type { Client } from '@temporalio/client'
import type { SignalDefinition } from '@temporalio/common'
import { downloadQueueId, WORK_TASK_QUEUE } from '../../core/workflow-ids.ts'
import type { Db } from '../../db/connect.ts'
import {
  type DownloadQueue,
  ensureQueue,
  findQueue,
  releaseQueue,
  setQueueOptions,
} from '../../db/download-queues.repo.ts'
import { UsageError } from '../../errors.ts'
import type { downloadQueue } from '../../workflows/download-queue.ts'
import { drainSignal } from '../../workflows/messages.ts'
import type { DownloadSetFlags } from '../commands/download-flags.ts'
import { firstRunId } from '../match/first-run-id.ts'
import { wantedOptions } from './download-options.ts'
import { isNotFound } from '../match/is-not-found.ts'

/** A queue as the flags want it; it is made when it is not there. @throws UsageError `bad_config` */
export async function setUpQueue(db: Db, flags: DownloadSetFlags): Promise<DownloadQueue> {
  const before = await findQueue(db, flags.queue)
  const options = await wantedOptions(flags, before?.options)
  if (options !== undefined) {
    await ensureQueue(db, flags.queue, options)
    await setQueueOptions(db, flags.queue, options)
  }
  return knownQueue(db, flags.queue)
}

/** @throws UsageError `unknown_queue` */
export async function knownQueue(db: Db, name: string): Promise<DownloadQueue> {
  const queue = await findQueue(db, name)
  if (queue !== undefined) return queue
  throw new UsageError({
    code: 'unknown_queue',
    message: `There is no queue "${name}".`,
    hint: 'Make one: ./record-linker download enqueue https://example.org/paper.pdf',
  })
}

/** A queue; one whose dispatcher was stopped from outside, or lost with its server, is given back. */
export async function reconciledQueue(
  client: Client,
  db: Db,
  name: string,
): Promise<DownloadQueue> {
  const queue = await knownQueue(db, name)
  const { temporalRunId } = queue
  if (temporalRunId === null || (await isRunning(client, name, temporalRunId))) return queue
  await releaseQueue(db, { queue: name, temporalRunId })
  return knownQueue(db, name)
}

async function isRunning(client: Client, name: string, temporalRunId: string): Promise<boolean> {
  try {
    const description = await client.workflow.getHandle(downloadQueueId(name)).describe()
    const status = description.status.name
    const isOpen = status === 'RUNNING' || status === 'CONTINUED_AS_NEW' || status === 'PAUSED'
    return isOpen && firstRunId(description) === temporalRunId
  } catch (error) {
    if (await isNotFound(error)) return false
    throw error
  }
}

/**
 * Starts the dispatcher of a queue, or joins the one that runs.
 * @param taskQueue only tests use another
 */
export async function startDispatcher(
  client: Client,
  queue: string,
  {
    drain,
    taskQueue = WORK_TASK_QUEUE,
    ...input
  }: {
    readonly drain: boolean
    readonly taskQueue?: string
    readonly eventsPerExecution?: number
  },
) {
  const workflowId = downloadQueueId(queue)
  const handle = await client.workflow.start<typeof downloadQueue>('downloadQueue', {
    workflowId,
    taskQueue,
    args: [{ queue, drain, ...input }],
    workflowIdConflictPolicy: 'USE_EXISTING',
    staticSummary: `Files of queue ${queue}`,
    staticDetails: 'Fetches files, each once, whole and checked.',
  })
  if (drain) await tellDispatcher(client, queue, drainSignal, [])
  return handle
}

/** @returns false: none runs */
export async function tellDispatcher<Args extends unknown[]>(
  client: Client,
  queue: string,
  signal: SignalDefinition<Args>,
  args: Args,
): Promise<boolean> {
  try {
    await client.workflow.getHandle(downloadQueueId(queue)).signal(signal, ...args)
    return true
  } catch (error) {
    if (await isNotFound(error)) return false
    throw error
  }
}
