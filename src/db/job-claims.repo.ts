import { sql } from 'kysely'
import { stateBefore } from '../core/download/job-state.ts'
import { lastErrorText } from '../core/download/last-error-text.ts'
import type { Db } from './connect.ts'

export interface ClaimWish {
  readonly queue: string
  /** Names this claim: asked again, it gives the same jobs. */
  readonly claim: string
  /** Jobs at most. */
  readonly limit: number
  /** Jobs under way per host at most, those of now included. */
  readonly maxPerHost: number
  readonly workflowId: string
}

/**
 * Takes jobs that are due: the highest priority first, among equals one of each host in turn. A host has no more than
 * its share of the window, so one that lets us wait holds nobody else.
 */
export async function claimJobs(db: Db, wish: ClaimWish): Promise<readonly number[]> {
  const { queue, claim, limit, maxPerHost, workflowId } = wish
  return db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('jobs')
      .where('claim', '=', claim)
      .where('queue', '=', queue)
      .where('state', '=', 'in_progress')
      .select('id')
      .orderBy('id')
      .execute()
    if (before.length > 0) return before.map(({ id }) => id)
    // A recursive skip scan: distinct hosts by the index, whatever the number of jobs.
    const { rows } = await sql<{ id: number }>`
      with recursive hosts as (
        (select host from jobs where queue = ${queue}::text and state = 'queued' order by host limit 1)
        union all
        select (
          select j.host from jobs j
          where j.queue = ${queue}::text and j.state = 'queued' and j.host > h.host order by j.host limit 1)
        from hosts h where h.host is not null
      ),
      busy as (
        select host, count(*)::integer as jobs from jobs
        where queue = ${queue}::text and state = 'in_progress' group by host
      ),
      best as (
        select one.id, one.priority, one.nth + coalesce(b.jobs, 0) as turn
        from hosts h
        left join busy b on b.host = h.host
        cross join lateral (
          select due.id, due.priority, row_number() over (order by due.priority desc, due.id) as nth
          from (
            select j.id, j.priority from jobs j
            where j.queue = ${queue}::text and j.state = 'queued' and j.host = h.host
              and (j.next_attempt_at is null or j.next_attempt_at <= clock_timestamp())
            order by j.priority desc, j.id
            limit greatest(0, ${maxPerHost}::integer - coalesce(b.jobs, 0))
          ) as due
        ) as one
        where h.host is not null
        order by one.priority desc, turn, one.id
        limit ${limit}::integer
      ),
      taken as (
        select j.id from jobs j where j.id in (select id from best) and j.state = 'queued'
        for update skip locked
      )
      update jobs j
      set state = 'in_progress', claim = ${claim}::text, workflow_id = ${workflowId}::text,
        next_attempt_at = null, updated_at = now()
      from taken where j.id = taken.id
      returning j.id, j.priority`.execute(tx)
    return rows.map(({ id }) => id)
  })
}

export interface QueueOutlook {
  /** Jobs that wait, due or not. */
  readonly queued: number
  /** Until the first that is not due is, ms; null: none is waiting for a time. */
  readonly nextDueMs: number | null
}

/** What is left to be claimed. */
export async function queueOutlook(db: Db, queue: string): Promise<QueueOutlook> {
  const { rows } = await sql<QueueOutlook>`
    select count(*)::integer as queued,
      greatest(0, extract(epoch from min(next_attempt_at) - clock_timestamp()) * 1000)::float8 as "nextDueMs"
    from jobs where queue = ${queue}::text and state = 'queued'`.execute(db)
  return rows[0] ?? { queued: 0, nextDueMs: null }
}

/** A claimed job that no attempt was begun at waits again. */
export async function handBackClaimed(
  db: Db,
  { jobId, claim }: { readonly jobId: number; readonly claim: string },
): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ state: 'queued', claim: null, attempt_token: null, updated_at: sql<Date>`now()` })
    .where('id', '=', jobId)
    .where('claim', '=', claim)
    .where('state', '=', stateBefore('handBack'))
    .execute()
}

/** Fails a job whatever its attempt: the activity that had it broke. */
export async function failClaimed(
  db: Db,
  job: {
    readonly jobId: number
    readonly claim: string
    readonly reason: string
    readonly message: string
  },
): Promise<void> {
  await db
    .updateTable('jobs')
    .set({
      state: 'error',
      attempts: sql<number>`attempts + 1`,
      reason: job.reason,
      last_error: lastErrorText(job.message),
      claim: null,
      attempt_token: null,
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', job.jobId)
    .where('claim', '=', job.claim)
    .where('state', '=', stateBefore('fail'))
    .execute()
}
