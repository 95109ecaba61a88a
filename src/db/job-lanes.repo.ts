/**
 * Jobs of a lane: one activity that fetches files one after the other. It claims a few at a time under its own name, and
 * gives a token to each only when it begins it: when its worker dies, what had none is no worse for it.
 */
import { sql } from 'kysely'
import type { Artifact } from '../core/download/artifact.ts'
import type { HostGrouping } from '../core/download/host-group.ts'
import { stateBefore } from '../core/download/job-state.ts'
import { lastErrorText } from '../core/download/last-error-text.ts'
import type { Db } from './connect.ts'
import { dueJobs, groupedHosts } from './due-jobs.ts'
import { type JobAttempt, LOST_TEXT, WORKER_LOST } from './job-attempts.repo.ts'
import { prepared } from './prepared.ts'

/** A claimed job that is not begun yet. */
export type LaneJob = Omit<JobAttempt, 'token'>

export interface LaneKey {
  readonly queue: string
  /** Names the lane; what it has claimed carries it. */
  readonly lane: string
}

export interface LaneWish extends LaneKey {
  /** Execution that has the queue; of another one nothing is claimed. */
  readonly temporalRunId: string
  readonly workflowId: string
  /** Jobs at most. */
  readonly limit: number
  /** Lanes at most that have jobs of the same host, or of the same group of hosts. */
  readonly lanesPerHost: number
  readonly groupHosts: HostGrouping
}

interface JobRow {
  readonly id: number
  readonly queue: string
  readonly artifact: Artifact
  readonly artifactId: string
  readonly resolverHint: string | null
  readonly host: string
  readonly attempt: number
}

const jobColumns = sql`j.id, j.queue, j.artifact_json as artifact, j.artifact_id as "artifactId",
  j.resolver_hint as "resolverHint", j.host, j.attempts + 1 as attempt`

/** Takes jobs that are due, in order; none while the queue stands still. */
export async function claimForLane(db: Db, wish: LaneWish): Promise<readonly LaneJob[]> {
  const { queue, lane, temporalRunId, workflowId, limit, lanesPerHost, groupHosts } = wish
  const share = sql<number>`case when coalesce(b.lanes, 0) < ${lanesPerHost}::integer then ${limit}::integer else 0 end`
  return db.transaction().execute(async (tx) => {
    // One after the other: side by side all would choose the same jobs, and but one get them.
    await sql`${prepared} select pg_advisory_xact_lock(hashtextextended(${`record-linker claim ${queue}`}::text, 0))`.execute(
      tx,
    )
    const groups = await groupedHosts(tx, queue, groupHosts)
    const { rows } = await sql<JobRow>`${prepared}
      with recursive ${dueJobs({ queue, groups, share, limit })},
      claimed as (
      update jobs j
      set state = 'in_progress', claim = ${lane}::text, workflow_id = ${workflowId}::text,
        next_attempt_at = null, updated_at = now()
      from best
      where j.id = best.id and j.state = 'queued' and exists (
        select from download_queues q
        where q.name = ${queue}::text and q.temporal_run_id = ${temporalRunId}::text
          and q.paused_reason is null and q.cancel_requested_at is null)
      returning ${jobColumns}, j.priority)
      select id, queue, artifact, "artifactId", "resolverHint", host, attempt
      from claimed order by priority desc, id`.execute(tx)
    return rows
  })
}

export interface LaneBegin {
  readonly jobId: number
  readonly lane: string
  readonly token: string
  readonly temporalRunId: string
}

/**
 * Begins attempts at claimed jobs.
 * @returns of each whether it was begun; else it is no longer of its lane, or its queue stands still
 */
export async function beginInLanes(
  db: Db,
  begins: readonly LaneBegin[],
): Promise<readonly boolean[]> {
  const { rows } = await sql<{ token: string }>`${prepared}
    update jobs j
    set attempt_token = begun.token, run_id = begun.run_id, heartbeat_at = now(), bytes_done = null, updated_at = now()
    from unnest(
      ${begins.map(({ jobId }) => jobId)}::bigint[],
      ${begins.map(({ lane }) => lane)}::text[],
      ${begins.map(({ token }) => token)}::uuid[],
      ${begins.map(({ temporalRunId }) => temporalRunId)}::text[]
    ) as begun (id, lane, token, run_id)
    join download_queues q on q.paused_reason is null and q.cancel_requested_at is null
    where j.id = begun.id and j.claim = begun.lane and j.state = 'in_progress' and j.attempt_token is null
      and q.name = j.queue
    returning j.attempt_token::text as token`.execute(db)
  const tokens = new Set(rows.map(({ token }) => token))
  return begins.map(({ token }) => tokens.has(token))
}

/** What the lane has claimed and not begun waits again, but one. @returns how many */
export async function handBackLane(
  db: Db,
  { queue, lane }: LaneKey,
  keptJobId?: number,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('jobs')
    .set({ state: 'queued', claim: null, updated_at: sql<Date>`now()` })
    .where('claim', '=', lane)
    .where('queue', '=', queue)
    .where('attempt_token', 'is', null)
    .where('state', '=', stateBefore('handBack'))
    .$if(keptJobId !== undefined, (query) => query.where('id', '!=', keptJobId ?? 0))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Fails what the lane has claimed: its activity broke. @returns how many */
export async function failLane(
  db: Db,
  { queue, lane }: LaneKey,
  { reason, message }: { readonly reason: string; readonly message: string },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('jobs')
    .set({
      state: 'error',
      attempts: sql<number>`attempts + 1`,
      reason,
      last_error: lastErrorText(message),
      claim: null,
      attempt_token: null,
      updated_at: sql<Date>`now()`,
    })
    .where('claim', '=', lane)
    .where('queue', '=', queue)
    .where('state', '=', stateBefore('fail'))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/**
 * Takes up what the lane has claimed before. An attempt that never ended had its worker die under it, which counts: a job
 * that kills workers comes to an end.
 * @returns jobs that are to be begun
 */
export async function takeOverLane(
  db: Db,
  { queue, lane }: LaneKey,
  maxAttempts: number,
): Promise<readonly LaneJob[]> {
  return db.transaction().execute(async (tx) => {
    await sql`
      with lost as (
        select id, host, attempts + 1 as attempts from jobs
        where claim = ${lane}::text and queue = ${queue}::text and state = 'in_progress'
          and attempt_token is not null
        for update
      ),
      noted as (
        insert into download_attempts (job_id, attempt, resolver, plan, verb, reason, host)
        select id, attempts, 'none', -1, 'retry', ${WORKER_LOST}::text, host from lost
      )
      update jobs j
      set attempts = lost.attempts, attempt_token = null, updated_at = now(),
        state = case when lost.attempts >= ${maxAttempts}::integer then 'error' else j.state end,
        claim = case when lost.attempts >= ${maxAttempts}::integer then null else j.claim end,
        reason = case when lost.attempts >= ${maxAttempts}::integer then ${WORKER_LOST}::text else j.reason end,
        last_error = case when lost.attempts >= ${maxAttempts}::integer then ${LOST_TEXT}::text else j.last_error end
      from lost where j.id = lost.id`.execute(tx)
    const { rows } = await sql<JobRow>`
      select ${jobColumns} from jobs j
      where j.claim = ${lane}::text and j.queue = ${queue}::text and j.state = 'in_progress'
      order by j.priority desc, j.id`.execute(tx)
    return rows
  })
}

export interface LanesOutlook {
  /** Lanes that would find something now. */
  readonly wanted: number
  /** Something waits, due or not. */
  readonly isLeft: boolean
  /** Until the next job becomes due, ms; null: none waits for a time. */
  readonly nextDueMs: number | null
}

/** What is left for further lanes. */
export async function lanesOutlook(
  db: Db,
  queue: string,
  { lanesPerHost, groupHosts, limit }: Pick<LaneWish, 'lanesPerHost' | 'groupHosts' | 'limit'>,
): Promise<LanesOutlook> {
  const groups = await groupedHosts(db, queue, groupHosts)
  const share = sql<number>`greatest(0, ${lanesPerHost}::integer - coalesce(b.lanes, 0))`
  const { rows } = await sql<LanesOutlook>`${prepared}
    with recursive ${dueJobs({ queue, groups, share, limit })}
    select (select count(*) from best)::integer as wanted,
      exists (select from jobs where queue = ${queue}::text and state = 'queued') as "isLeft",
      (select (extract(epoch from min(next_attempt_at) - clock_timestamp()) * 1000)::float8
        from jobs
        where queue = ${queue}::text and state = 'queued' and next_attempt_at > clock_timestamp()) as "nextDueMs"`.execute(
    db,
  )
  return rows[0] ?? { wanted: 0, isLeft: false, nextDueMs: null }
}
