/** How queues and jobs stand, for people. */
import { sql } from 'kysely'
import type { JobState } from '../core/download/job-state.ts'
import type { Db } from './connect.ts'

export interface QueueStats {
  readonly states: Readonly<Record<JobState, number>>
  /** Waiting jobs whose time has not come. */
  readonly later: number
  /** Of what is done. */
  readonly bytes: number
  /** Failed attempts of all jobs. */
  readonly attempts: number
  /** Failed jobs by the code of their reason. */
  readonly reasons: Readonly<Record<string, number>>
  /** Done, but suspicious. */
  readonly flagged: number
}

export async function queueStats(db: Db, queue: string): Promise<QueueStats> {
  const { rows } = await sql<{
    state: JobState
    jobs: number
    later: number
    bytes: number
    attempts: number
    flagged: number
  }>`
    select state, count(*)::integer as jobs,
      count(*) filter (where next_attempt_at > now())::integer as later,
      coalesce(sum(bytes), 0)::bigint as bytes, coalesce(sum(attempts), 0)::bigint as attempts,
      count(flag)::integer as flagged
    from jobs where queue = ${queue}::text group by state`.execute(db)
  const { rows: reasons } = await sql<{ reason: string; jobs: number }>`
    select coalesce(reason, 'unknown') as reason, count(*)::integer as jobs
    from jobs where queue = ${queue}::text and state = 'error'
    group by 1 order by 2 desc, 1`.execute(db)
  const sum = (of: (row: (typeof rows)[number]) => number) =>
    rows.reduce((total, row) => total + of(row), 0)
  const count = (state: JobState) => rows.find((row) => row.state === state)?.jobs ?? 0
  return {
    states: {
      queued: count('queued'),
      in_progress: count('in_progress'),
      done: count('done'),
      skipped: count('skipped'),
      error: count('error'),
    },
    later: sum((row) => row.later),
    bytes: sum((row) => (row.state === 'done' ? row.bytes : 0)),
    attempts: sum((row) => row.attempts),
    reasons: Object.fromEntries(reasons.map(({ reason, jobs }) => [reason, jobs])),
    flagged: sum((row) => row.flagged),
  }
}

/** Jobs that failed of the same, with one of them. */
export interface FailedGroup {
  readonly reason: string
  readonly jobs: number
  readonly example: number
  readonly artifact: string
  readonly error: string | null
}

export async function failedGroups(db: Db, queue: string): Promise<readonly FailedGroup[]> {
  const { rows } = await sql<FailedGroup>`
    select g.reason, g.jobs, g.example::bigint as example, j.artifact_id as artifact, j.last_error as error
    from (
      select coalesce(reason, 'unknown') as reason, count(*)::integer as jobs, min(id) as example
      from jobs where queue = ${queue}::text and state = 'error' group by 1
    ) g join jobs j on j.id = g.example
    order by g.jobs desc, g.reason`.execute(db)
  return rows
}

/** The first job with this among its addresses, whatever it is known by. */
export async function findJobByAddress(db: Db, queue: string, url: string) {
  return db
    .selectFrom('jobs')
    .where('queue', '=', queue)
    .where(sql<boolean>`artifact_json -> 'urls' @> ${JSON.stringify([url])}::jsonb`)
    .selectAll()
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

export async function findJob(db: Db, queue: string, idOrArtifact: string) {
  const query = db.selectFrom('jobs').where('queue', '=', queue).selectAll()
  return /^\d{1,15}$/.test(idOrArtifact)
    ? query.where('id', '=', Number(idOrArtifact)).executeTakeFirst()
    : query.where('artifact_id', '=', idOrArtifact).executeTakeFirst()
}

/** What was done for a job, in order. */
export async function attemptsOf(db: Db, jobId: number) {
  return db
    .selectFrom('download_attempts')
    .where('job_id', '=', jobId)
    .selectAll()
    .orderBy('id')
    .execute()
}

export interface HostWait {
  readonly host: string
  readonly jobs: number
  readonly reason: string
}

/** Hosts that let jobs wait, the most waited for first. */
export async function waitedFor(db: Db, queue: string, most: number): Promise<readonly HostWait[]> {
  const { rows } = await sql<HostWait>`
    select host, count(*)::integer as jobs, min(reason) as reason
    from jobs
    where queue = ${queue}::text and reason is not null
      and (state = 'queued' or (state = 'in_progress' and attempt_token is null))
    group by host order by 2 desc, 1 limit ${most}::integer`.execute(db)
  return rows
}
