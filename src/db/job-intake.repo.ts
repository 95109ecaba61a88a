import { sql } from 'kysely'
import type { NewJob } from '../core/download/artifact.ts'
import type { Db } from './connect.ts'

export interface Intake {
  readonly inserted: number
  /** Were in the queue before, in whatever state. */
  readonly existing: number
}

/** Puts artifacts into a queue; one that is there stays as it is. */
export async function enqueueJobs(db: Db, queue: string, jobs: readonly NewJob[]): Promise<Intake> {
  if (jobs.length === 0) return { inserted: 0, existing: 0 }
  const { rows } = await sql<{ id: number }>`
    insert into jobs (queue, artifact_id, artifact_json, resolver_hint, priority, host, licence)
    select ${queue}::text, fresh.artifact_id, fresh.artifact, fresh.hint, fresh.priority, fresh.host,
      fresh.artifact -> 'licence'
    from unnest(
      ${jobs.map((job) => job.artifactId)}::text[],
      ${jobs.map((job) => JSON.stringify(job.artifact))}::jsonb[],
      ${jobs.map((job) => job.resolverHint)}::text[],
      ${jobs.map((job) => job.priority)}::integer[],
      ${jobs.map((job) => job.host)}::text[]
    ) with ordinality as fresh (artifact_id, artifact, hint, priority, host, nth)
    order by fresh.nth
    on conflict (queue, artifact_id) do nothing
    returning id`.execute(db)
  return { inserted: rows.length, existing: jobs.length - rows.length }
}

/** Which failed jobs are to be tried again, or which waiting ones given up. */
export interface PickedJobs {
  readonly reason?: string | undefined
  readonly ids?: readonly number[] | undefined
}

/** Failed jobs wait again, with all their attempts before them. @returns how many */
export async function reopenJobs(db: Db, queue: string, picked: PickedJobs): Promise<number> {
  let query = db
    .updateTable('jobs')
    .set({
      state: 'queued',
      attempts: 0,
      reason: null,
      last_error: null,
      next_attempt_at: null,
      updated_at: sql<Date>`now()`,
    })
    .where('queue', '=', queue)
    .where('state', '=', 'error')
  if (picked.reason !== undefined) query = query.where('reason', '=', picked.reason)
  if (picked.ids !== undefined) query = query.where('id', 'in', picked.ids)
  return Number((await query.executeTakeFirst()).numUpdatedRows)
}

/** Waiting jobs will not be fetched. @returns how many */
export async function cancelJobs(db: Db, queue: string, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0
  const { numUpdatedRows } = await db
    .updateTable('jobs')
    .set({ state: 'skipped', reason: 'cancelled', updated_at: sql<Date>`now()` })
    .where('queue', '=', queue)
    .where('id', 'in', ids)
    .where('state', '=', 'queued')
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
