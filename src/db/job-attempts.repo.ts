/**
 * Attempts at a job. Each has a token of its own, and only who has the token of now changes the job: an attempt whose
 * worker was given up may still be running beside the next one.
 */
import { sql, type UpdateObject } from 'kysely'
import type { Artifact } from '../core/download/artifact.ts'
import type { ArtifactLicence } from '../core/download/artifact-plan.ts'
import { after, type JobEvent, stateBefore } from '../core/download/job-state.ts'
import { lastErrorText } from '../core/download/last-error-text.ts'
import type { Db } from './connect.ts'
import type { Database } from './database.ts'

export interface JobAttempt {
  readonly id: number
  readonly queue: string
  readonly artifact: Artifact
  readonly artifactId: string
  readonly resolverHint: string | null
  readonly host: string
  readonly token: string
  /** From 1. */
  readonly attempt: number
}

export interface BeginWish {
  readonly jobId: number
  readonly claim: string
  readonly token: string
  readonly temporalRunId: string
  readonly maxAttempts: number
}

/**
 * Begins an attempt. An earlier one that never ended had its worker die under it: that counts, so that a job which kills
 * workers comes to an end.
 * @returns `gone`: the job is no longer of this claim; `lost`: it has killed its last worker
 */
export async function beginAttempt(
  db: Db,
  { jobId, claim, token, temporalRunId, maxAttempts }: BeginWish,
): Promise<JobAttempt | 'gone' | 'lost'> {
  return db.transaction().execute(async (tx) => {
    const job = await tx
      .selectFrom('jobs')
      .where('id', '=', jobId)
      .selectAll()
      .forUpdate()
      .executeTakeFirst()
    if (job === undefined || job.state !== 'in_progress' || job.claim !== claim) return 'gone'
    const isLost = job.attempt_token !== null
    const attempts = job.attempts + (isLost ? 1 : 0)
    if (isLost) await noteLost(tx, jobId, attempts, job.host)
    if (isLost && attempts >= maxAttempts) {
      await tx
        .updateTable('jobs')
        .set({
          state: 'error',
          attempts,
          reason: WORKER_LOST,
          last_error: LOST_TEXT,
          claim: null,
          attempt_token: null,
          updated_at: sql<Date>`now()`,
        })
        .where('id', '=', jobId)
        .execute()
      return 'lost'
    }
    await tx
      .updateTable('jobs')
      .set({
        attempts,
        attempt_token: token,
        run_id: temporalRunId,
        heartbeat_at: sql<Date>`now()`,
        bytes_done: null,
        updated_at: sql<Date>`now()`,
      })
      .where('id', '=', jobId)
      .execute()
    return {
      id: job.id,
      queue: job.queue,
      artifact: job.artifact_json,
      artifactId: job.artifact_id,
      resolverHint: job.resolver_hint,
      host: job.host,
      token,
      attempt: attempts + 1,
    }
  })
}

/** Reason of a job whose attempts ended with their workers. */
export const WORKER_LOST = 'worker-lost'
export const LOST_TEXT =
  'Each of its attempts ended with its worker; expected one that ends by itself.'

async function noteLost(tx: Db, jobId: number, attempt: number, host: string): Promise<void> {
  await tx
    .insertInto('download_attempts')
    .values({
      job_id: jobId,
      attempt,
      resolver: 'none',
      plan: -1,
      verb: 'retry',
      status: null,
      reason: WORKER_LOST,
      host,
      cache_status: null,
    })
    .execute()
}

/** Says that an attempt lives. @returns false: it has lost its job, and is to stop */
export async function touchAttempt(
  db: Db,
  { id, token }: Pick<JobAttempt, 'id' | 'token'>,
  bytesDone: number | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('jobs')
    .set({ heartbeat_at: sql<Date>`now()`, bytes_done: bytesDone })
    .where('id', '=', id)
    .where('attempt_token', '=', token)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** What was fetched. */
export interface JobResult {
  readonly sha256: string
  readonly bytes: number
  readonly contentType: string | null
  /** Without secrets. */
  readonly finalUrl: string | null
  readonly httpStatus: number | null
  readonly cacheStatus: string
  readonly displayName: string | null
  readonly licence: ArtifactLicence | null
}

/** @returns false: the attempt has lost its job, and nothing was changed */
export async function finishAttempt(
  tx: Db,
  key: Pick<JobAttempt, 'id' | 'token'>,
  result: JobResult,
): Promise<boolean> {
  const { licence, ...facts } = result
  return endAttempt(tx, key, 'succeed', {
    sha256: facts.sha256,
    bytes: facts.bytes,
    content_type: facts.contentType,
    final_url: facts.finalUrl,
    http_status: facts.httpStatus,
    cache_status: facts.cacheStatus,
    display_name: facts.displayName,
    reason: null,
    last_error: null,
    ...(licence === null ? {} : { licence: JSON.stringify(licence) }),
  })
}

export interface AttemptTrouble {
  readonly reason: string
  /** Without secrets. */
  readonly message: string
  readonly httpStatus: number | null
  /** Until the next attempt, ms; null: there is none. */
  readonly retryInMs: number | null
}

/** An attempt failed: the job fails, or waits for its next attempt. @returns as `finishAttempt` */
export async function failAttempt(
  tx: Db,
  key: Pick<JobAttempt, 'id' | 'token'>,
  trouble: AttemptTrouble,
): Promise<boolean> {
  const { reason, message, httpStatus, retryInMs } = trouble
  return endAttempt(tx, key, retryInMs === null ? 'fail' : 'retry', {
    attempts: sql<number>`attempts + 1`,
    reason,
    last_error: lastErrorText(message),
    http_status: httpStatus,
    next_attempt_at: retryInMs === null ? null : inMs(retryInMs),
  })
}

/** The attempt ends without having failed: the host, or this machine, wants us to wait. @returns as `finishAttempt` */
export async function parkAttempt(
  db: Db,
  key: Pick<JobAttempt, 'id' | 'token'>,
  wait: { readonly reason: string; readonly message: string; readonly waitMs: number },
): Promise<boolean> {
  return endAttempt(db, key, 'park', {
    reason: wait.reason,
    last_error: lastErrorText(wait.message),
    next_attempt_at: inMs(wait.waitMs),
  })
}

/** The attempt was not made; the job waits for another. @returns as `finishAttempt` */
export function handBackAttempt(db: Db, key: Pick<JobAttempt, 'id' | 'token'>): Promise<boolean> {
  return endAttempt(db, key, 'handBack', {})
}

/** The attempt ends, and the job keeps its place in the window for the next one. @returns as `finishAttempt` */
export async function releaseAttempt(
  db: Db,
  { id, token }: Pick<JobAttempt, 'id' | 'token'>,
  wait: { readonly reason: string; readonly message: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('jobs')
    .set({
      attempt_token: null,
      reason: wait.reason,
      last_error: lastErrorText(wait.message),
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .where('attempt_token', '=', token)
    .where('state', '=', stateBefore('wait'))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

function inMs(ms: number) {
  return sql<Date>`clock_timestamp() + ${ms}::float8 * interval '1 ms'`
}

type Ending = Extract<JobEvent, 'succeed' | 'fail' | 'retry' | 'park' | 'handBack'>

async function endAttempt(
  tx: Db,
  { id, token }: Pick<JobAttempt, 'id' | 'token'>,
  event: Ending,
  facts: UpdateObject<Database, 'jobs'>,
): Promise<boolean> {
  const next = after({ state: stateBefore(event), attempts: 0 }, event, Infinity)
  if (next === undefined)
    throw new TypeError(`expected an event of a job in progress, found ${event}`)
  const { numUpdatedRows } = await tx
    .updateTable('jobs')
    .set({
      ...facts,
      state: next.state,
      claim: null,
      attempt_token: null,
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .where('attempt_token', '=', token)
    .where('state', '=', stateBefore(event))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
