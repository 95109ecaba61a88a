import { randomUUID } from 'node:crypto'
import { activityInfo } from '@temporalio/activity'
import type { Db } from '../db/connect.ts'
import { findQueue } from '../db/download-queues.repo.ts'
import { beginAttempt } from '../db/job-attempts.repo.ts'
import { handBackClaimed } from '../db/job-claims.repo.ts'
import type { DownloadActivities } from './activity-contracts.ts'
import { createAttemptDesk } from './attempt-desk.ts'
import { createDownloadLane } from './download-lane.ts'
import type { DownloadMetrics } from './download-metrics.ts'
import type { DownloadTools } from './download-tools.ts'
import { withHeartbeat } from './heartbeat.ts'
import { createHostReach } from './host-reach.ts'
import { createQueueActivities } from './queue-activities.ts'
import { runAttempt } from './run-attempt.ts'
import { withFailures } from './to-failure.ts'
import type { Tracer } from './traces/tracer.ts'

export interface DownloadActivityDeps {
  readonly db: Db
  readonly tools: DownloadTools
  readonly metrics: DownloadMetrics
  readonly tracer: Tracer
  readonly nowMs: () => number
  /** Uniform in [0, 1). */
  readonly random: () => number
}

export function createDownloadActivities(deps: DownloadActivityDeps): DownloadActivities {
  const { db } = deps
  const reach = createHostReach(() => performance.now())
  const shared = { ...deps, reach, desk: createAttemptDesk(db) }
  const runLane = createDownloadLane(shared)

  return {
    ...createQueueActivities(deps),
    fetchInLane: (input) => withFailures(() => withHeartbeat(() => runLane(input))),
    downloadArtifact: ({ queue: name, jobId, claim }) =>
      withFailures(() =>
        withHeartbeat(async () => {
          const queue = await findQueue(db, name)
          if (queue === undefined || queue.pausedReason !== null || queue.isCancelRequested) {
            await handBackClaimed(db, { jobId, claim })
            return { outcome: 'back', pausedReason: queue?.pausedReason ?? null }
          }
          const { options } = queue
          const job = await beginAttempt(db, {
            jobId,
            claim,
            token: randomUUID(),
            temporalRunId: activityInfo().workflowExecution?.runId ?? '',
            maxAttempts: options.maxAttempts,
          })
          if (job === 'gone') return { outcome: 'gone', pausedReason: null }
          if (job === 'lost') return { outcome: 'error', pausedReason: null }
          return runAttempt(shared, job, options)
        }),
      ),
  }
}
