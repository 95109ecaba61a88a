import { log } from '@temporalio/activity'
import { claimJobs, failClaimed, queueOutlook } from '../db/job-claims.repo.ts'
import type { Db } from '../db/connect.ts'
import {
  findQueue,
  handBackAll,
  releaseQueue,
  setQueuePaused,
  takeUpQueue,
} from '../db/download-queues.repo.ts'
import { failLane, lanesOutlook } from '../db/job-lanes.repo.ts'
import { UsageError } from '../errors.ts'
import { collectLostTransfers } from '../store/collect-parts.ts'
import type { DownloadActivities } from './activity-contracts.ts'
import type { DownloadActivityDeps } from './download-activities.ts'
import { LANES_PER_BODY } from './download-lane.ts'
import { withFailures } from './to-failure.ts'

/** Everything about a queue but the transfers. */
export function createQueueActivities(
  deps: Pick<DownloadActivityDeps, 'db' | 'tools' | 'nowMs'>,
): Omit<DownloadActivities, 'downloadArtifact' | 'fetchInLane'> {
  const { db } = deps
  return {
    openDownloads: ({ queue, temporalRunId }) =>
      withFailures(async () => {
        await takeUpQueue(db, { queue, temporalRunId })
        return { pausedReason: (await knownQueue(db, queue)).pausedReason }
      }),
    lookDownloads: ({ queue, lanes, temporalRunId }) =>
      withFailures(async () => {
        const { options, pausedReason, ...known } = await knownQueue(db, queue)
        const isOurs = known.temporalRunId === temporalRunId
        if (lanes === 0 && isOurs) await handBackAll(db, queue)
        const window = options.maxWorkers
        const limit = pausedReason === null && isOurs ? Math.max(0, window - lanes) : 0
        const lanesPerHost = options.maxPerHost * LANES_PER_BODY
        const wish = { lanesPerHost, groupHosts: options.groupHosts, limit }
        return { ...(await lanesOutlook(db, queue, wish)), window, pausedReason }
      }),
    failLane: ({ queue, lane, code: reason, message }) =>
      withFailures(async () => ({
        failed: await failLane(db, { queue, lane }, { reason, message }),
      })),
    claimDownloads: ({ queue, claim, busy, temporalRunId, workflowId }) =>
      withFailures(async () => {
        const { options, pausedReason, ...known } = await knownQueue(db, queue)
        const window = options.maxWorkers
        const mayClaim = pausedReason === null && known.temporalRunId === temporalRunId
        const limit = mayClaim ? Math.max(0, window - busy) : 0
        const maxPerHost = options.maxPerHost * LANES_PER_BODY
        const wish = { queue, claim, limit, maxPerHost, workflowId }
        const jobIds = limit === 0 ? [] : await claimJobs(db, wish)
        return { jobIds, ...(await queueOutlook(db, queue)), window, pausedReason }
      }),
    failDownload: ({ jobId, claim, code, message }) =>
      withFailures(() => failClaimed(db, { jobId, claim, reason: code, message })),
    pauseDownloads: ({ queue, reason }) => withFailures(() => setQueuePaused(db, queue, reason)),
    resumeDownloads: ({ queue }) => withFailures(() => setQueuePaused(db, queue, null)),
    closeDownloads: (input) =>
      withFailures(async () => {
        await releaseQueue(db, input)
        await removeLostTransfers(deps, input.queue)
      }),
  }
}

/** A store that cannot be reached now keeps them until the next end of a queue, or `download gc`. */
async function removeLostTransfers(
  { db, tools, nowMs }: Pick<DownloadActivityDeps, 'db' | 'tools' | 'nowMs'>,
  name: string,
): Promise<void> {
  try {
    const queue = await findQueue(db, name)
    if (queue === undefined) return
    const { store } = await tools.open(queue.options)
    const { files, bytes } = await collectLostTransfers(db, store.tempDir, nowMs())
    if (files > 0) log.info('removed what dead workers had begun to write', { files, bytes })
  } catch (error) {
    log.warn('what dead workers had begun to write is still there', { queue: name, error })
  }
}

/** @throws UsageError `unknown_queue` */
async function knownQueue(db: Db, name: string) {
  const queue = await findQueue(db, name)
  if (queue !== undefined) return queue
  throw new UsageError({
    code: 'unknown_queue',
    message: `There is no queue "${name}".`,
    hint: 'Make one: ./record-linker download enqueue URL',
  })
}
