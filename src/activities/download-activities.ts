import { randomUUID } from 'node:crypto'
import { activityInfo, cancellationSignal } from '@temporalio/activity'
import type { Db } from '../db/connect.ts'
import { recordDownloadAttempts } from '../db/download-attempts.repo.ts'
import { findQueue, setQueuePaused } from '../db/download-queues.repo.ts'
import {
  beginAttempt,
  failAttempt,
  finishAttempt,
  handBackAttempt,
  type JobAttempt,
  parkAttempt,
  releaseAttempt,
  touchAttempt,
} from '../db/job-attempts.repo.ts'
import { handBackClaimed } from '../db/job-claims.repo.ts'
import { flagDuplicates } from '../db/suspicious-duplicates.repo.ts'
import type { DownloadActivities } from './activity-contracts.ts'
import { type AttemptFailure, attemptFailure } from './attempt-ending.ts'
import { type AttemptLog, createAttemptLog } from './attempt-log.ts'
import type { DownloadMetrics } from './download-metrics.ts'
import type { DownloadTools } from './download-tools.ts'
import { fetchJob, JobTrouble } from './fetch-job.ts'
import type { PlanContext } from './fetch-plan.ts'
import { withHeartbeat } from './heartbeat.ts'
import { createHostReach } from './host-reach.ts'
import { createPauseGuard, StandsStillError } from './pause-guard.ts'
import { createQueueActivities } from './queue-activities.ts'
import { waitFailure, withFailures } from './to-failure.ts'
import { withDatabase } from './with-database.ts'

/** How often the job is told that it is being fetched, and asked whether it still is ours. */
const TOUCH_MS = 5_000

export interface DownloadActivityDeps {
  readonly db: Db
  readonly tools: DownloadTools
  readonly metrics: DownloadMetrics
  readonly nowMs: () => number
  /** Uniform in [0, 1). */
  readonly random: () => number
}

/** Why an attempt ends whose job was given to another. */
class FencedError extends Error {}

export function createDownloadActivities(deps: DownloadActivityDeps): DownloadActivities {
  const { db, tools, metrics, nowMs, random } = deps
  const reach = createHostReach(() => performance.now())

  return {
    ...createQueueActivities({ db }),
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
          const log = metrics.counted(createAttemptLog(job))
          const life = keepAlive(db, job)
          const signal = AbortSignal.any([cancellationSignal(), life.fenced])
          try {
            const context: PlanContext = {
              ...(await tools.open(options)),
              db,
              slots: tools.slots,
              options,
              job,
              log,
              signal,
              nowMs,
              onProgress: life.onProgress,
              mayAsk: createPauseGuard(db, name, () => performance.now()),
              finish: (result, refer) =>
                withDatabase(signal, () =>
                  db.transaction().execute(async (tx) => {
                    const cacheStatus = await refer(tx)
                    if (!(await finishAttempt(tx, job, { ...result, cacheStatus }))) {
                      throw new FencedError()
                    }
                    const { sha256 } = result
                    const most = options.suspiciousDuplicates
                    await flagDuplicates(tx, { queue: name, host: job.host, sha256 }, most)
                    await recordDownloadAttempts(tx, log.rows())
                  }),
                ),
            }
            await fetchJob({ ...context, log: { ...log, exchange: told(log, reach.answered) } })
            metrics.ended(log, { outcome: 'done', reason: null })
            return { outcome: 'done', pausedReason: null }
          } catch (thrown) {
            if (isFenced(thrown) || life.fenced.aborted)
              return { outcome: 'gone', pausedReason: null }
            const trouble = thrown instanceof JobTrouble ? thrown : new JobTrouble(thrown, job.host)
            if (trouble.error instanceof StandsStillError)
              return await handBack(job, log, trouble.error)
            const failure = attemptFailure(trouble.error, {
              options,
              attempt: job.attempt,
              host: trouble.host,
              waits: activityInfo().attempt,
              reach,
              random: random(),
            })
            return await end(job, log, trouble, failure)
          } finally {
            life.stop()
          }
        }),
      ),
  }

  async function handBack(job: JobAttempt, log: AttemptLog, { pausedReason }: StandsStillError) {
    await withDatabase(cancellationSignal(), () =>
      db.transaction().execute(async (tx) => {
        await recordDownloadAttempts(tx, log.rows())
        await handBackAttempt(tx, job)
      }),
    )
    return { outcome: 'back', pausedReason } as const
  }

  async function end(
    job: JobAttempt,
    log: AttemptLog,
    { error, host }: JobTrouble,
    failure: AttemptFailure | undefined,
  ): ReturnType<DownloadActivities['downloadArtifact']> {
    const isStopped = cancellationSignal().aborted
    // A cancellation, or a defect: neither is the job's fault, and the next attempt is not to count this one as lost.
    const ending = isStopped || failure === undefined ? undefined : failure.ending
    const { reason = 'internal-error', message = 'An error that nobody foresaw.' } = failure ?? {}
    const wait = { reason, message }
    if (ending?.kind === 'fail' && ending.retryInMs !== null) log.retry(reason, host)
    const store = (work: (tx: Db) => Promise<boolean>) =>
      withDatabase(isStopped ? AbortSignal.timeout(TOUCH_MS) : cancellationSignal(), () =>
        db.transaction().execute(async (tx) => {
          await recordDownloadAttempts(tx, log.rows())
          await work(tx)
        }),
      )
    if (ending === undefined || failure === undefined) {
      await store((tx) => releaseAttempt(tx, job, wait))
      throw error
    }
    if (ending.kind === 'fail') {
      const { retryInMs } = ending
      await store((tx) => failAttempt(tx, job, { ...failure, retryInMs }))
      if (retryInMs === null) metrics.ended(log, { outcome: 'error', reason })
      return { outcome: retryInMs === null ? 'error' : 'later', pausedReason: null }
    }
    if (ending.kind === 'park') {
      const { waitMs } = ending
      await store((tx) => parkAttempt(tx, job, { ...wait, waitMs }))
      return { outcome: 'later', pausedReason: null }
    }
    if (ending.kind === 'wait') {
      await store((tx) => releaseAttempt(tx, job, wait))
      const code = reason.replaceAll('-', '_')
      throw waitFailure(code, 'The file is asked for again.', ending.waitMs)
    }
    // First the queue, so that nobody else begins.
    const pausedReason = `${reason}: ${message}`
    await setQueuePaused(db, job.queue, pausedReason)
    await store((tx) => handBackAttempt(tx, job))
    return { outcome: 'back', pausedReason }
  }
}

function told(log: AttemptLog, answered: (host: string) => void): AttemptLog['exchange'] {
  return (exchange) => {
    if (exchange.status !== null) answered(exchange.domain)
    log.exchange(exchange)
  }
}

function isFenced(thrown: unknown): boolean {
  return (thrown instanceof JobTrouble ? thrown.error : thrown) instanceof FencedError
}

/** Says in its row that the attempt lives; ends it when the job was given to another. */
function keepAlive(db: Db, job: JobAttempt) {
  const fenced = new AbortController()
  let bytesDone: number | null = null
  const touched = async () => {
    if (!(await touchAttempt(db, job, bytesDone))) fenced.abort(new FencedError())
  }
  const touch = setInterval(() => {
    void touched().catch(() => undefined) // A database that is away gives the job to nobody.
  }, TOUCH_MS)
  return {
    fenced: fenced.signal,
    onProgress: (bytes: number) => void (bytesDone = bytes),
    stop() {
      clearInterval(touch)
    },
  }
}
