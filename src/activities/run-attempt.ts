/** One attempt at a job, from its beginning in the database to its end there. */
import { activityInfo, cancellationSignal } from '@temporalio/activity'
import type { QueueOptions } from '../core/download/queue-options.ts'
import type { Db } from '../db/connect.ts'
import { recordDownloadAttempts } from '../db/download-attempts.repo.ts'
import { setQueuePaused } from '../db/download-queues.repo.ts'
import {
  failAttempt,
  finishAttempt,
  handBackAttempt,
  type JobAttempt,
  parkAttempt,
  releaseAttempt,
  touchAttempt,
} from '../db/job-attempts.repo.ts'
import { flagDuplicates } from '../db/suspicious-duplicates.repo.ts'
import type { DownloadedJob } from '../core/download/download-queue.ts'
import type { AttemptDesk } from './attempt-desk.ts'
import { type AttemptFailure, attemptFailure } from './attempt-ending.ts'
import { type AttemptLog, createAttemptLog } from './attempt-log.ts'
import type { DownloadMetrics } from './download-metrics.ts'
import type { DownloadTools } from './download-tools.ts'
import { fetchJob, JobTrouble } from './fetch-job.ts'
import type { PlanContext } from './fetch-plan.ts'
import type { HostReach } from './host-reach.ts'
import { createPauseGuard, StandsStillError } from './pause-guard.ts'
import { waitFailure } from './to-failure.ts'
import { type AttemptTrace, beginAttemptTrace } from './traces/attempt-trace.ts'
import type { Tracer } from './traces/tracer.ts'
import { withDatabase } from './with-database.ts'

/** How often the job is told that it is being fetched, and asked whether it still is ours. */
const TOUCH_MS = 5_000

export interface AttemptDeps {
  readonly db: Db
  readonly desk: AttemptDesk
  readonly tools: DownloadTools
  readonly metrics: DownloadMetrics
  readonly tracer: Tracer
  readonly reach: HostReach
  readonly nowMs: () => number
  /** Uniform in [0, 1). */
  readonly random: () => number
}

/** Why an attempt ends whose job was given to another. */
class FencedError extends Error {}

/**
 * Makes an attempt that has begun, and ends it.
 * @throws a wait, after which the job, which keeps its place, is to be begun again; what nobody foresaw
 */
export async function runAttempt(
  deps: AttemptDeps,
  job: JobAttempt,
  options: QueueOptions,
): Promise<DownloadedJob> {
  const trace = beginAttemptTrace(deps.tracer, job)
  try {
    const end = await makeAttempt(deps, job, options, trace)
    trace.ended(end.outcome)
    return end
  } catch (error) {
    trace.broke(error)
    throw error
  }
}

async function makeAttempt(
  deps: AttemptDeps,
  job: JobAttempt,
  options: QueueOptions,
  trace: AttemptTrace,
): Promise<DownloadedJob> {
  const { db, desk, tools, metrics, reach, nowMs, random } = deps
  const log = trace.traced(metrics.counted(createAttemptLog(job)))
  const life = keepAlive(db, job)
  const signal = AbortSignal.any([cancellationSignal(), life.fenced])
  const unlessFenced = (isOurs: boolean): void => {
    if (!isOurs) throw new FencedError()
  }
  try {
    const opened = await tools.open(options)
    const { store } = opened
    const { suspiciousDuplicates } = options
    const context: PlanContext = {
      ...opened,
      db,
      slots: tools.slots,
      options,
      job,
      log: { ...log, exchange: told(log, reach.answered) },
      signal,
      nowMs,
      onProgress: life.onProgress,
      answersOf: (urlKey) => desk.answersOf(urlKey),
      mayAsk: createPauseGuard(db, job.queue, () => performance.now()),
      finishTogether: (result, content) =>
        withDatabase(signal, async () => {
          const finish = { job, result, store, rows: log.rows(), suspiciousDuplicates, ...content }
          unlessFenced(await desk.finish(finish))
        }),
      finish: (result, refer) =>
        withDatabase(signal, () =>
          db.transaction().execute(async (tx) => {
            const cacheStatus = await refer(tx)
            unlessFenced(await finishAttempt(tx, job, { ...result, cacheStatus }))
            const content = { queue: job.queue, host: job.host, sha256: result.sha256 }
            await flagDuplicates(tx, content, suspiciousDuplicates)
            await recordDownloadAttempts(tx, log.rows())
          }),
        ),
    }
    await fetchJob(context)
    metrics.ended(log, { outcome: 'done', reason: null })
    return { outcome: 'done', pausedReason: null }
  } catch (thrown) {
    if (isFenced(thrown) || life.fenced.aborted) return { outcome: 'gone', pausedReason: null }
    const trouble = thrown instanceof JobTrouble ? thrown : new JobTrouble(thrown, job.host)
    if (trouble.error instanceof StandsStillError)
      return await handBack(db, { job, log }, trouble.error)
    const failure = attemptFailure(trouble.error, {
      options,
      attempt: job.attempt,
      host: trouble.host,
      waits: activityInfo().attempt,
      reach,
      random: random(),
    })
    if (failure !== undefined && !cancellationSignal().aborted) {
      trace.trouble(failure.reason, isWait(failure.ending))
    }
    const end = await endAttempt(db, { job, log }, trouble, failure)
    if (end.outcome === 'error')
      metrics.ended(log, { outcome: 'error', reason: failure?.reason ?? null })
    return end
  } finally {
    life.stop()
  }
}

async function handBack(
  db: Db,
  { job, log }: { readonly job: JobAttempt; readonly log: AttemptLog },
  { pausedReason }: StandsStillError,
): Promise<DownloadedJob> {
  await withDatabase(cancellationSignal(), () =>
    db.transaction().execute(async (tx) => {
      await recordDownloadAttempts(tx, log.rows())
      await handBackAttempt(tx, job)
    }),
  )
  return { outcome: 'back', pausedReason }
}

async function endAttempt(
  db: Db,
  { job, log }: { readonly job: JobAttempt; readonly log: AttemptLog },
  { error, host }: JobTrouble,
  failure: AttemptFailure | undefined,
): Promise<DownloadedJob> {
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

/** It costs the job no attempt, and a person need do nothing. */
function isWait({ kind }: AttemptFailure['ending']): boolean {
  return kind === 'wait' || kind === 'park'
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
