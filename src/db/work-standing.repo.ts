/** How much is open, waits and has failed, over all projects: for a metrics server, so cheap at any size of a project. */
import { sql } from 'kysely'
import type { Db } from './connect.ts'
import { isJudgedSubject } from './current-judgment.ts'

export interface JobStanding {
  readonly job: 'match' | 'extract' | 'download'
  readonly going: number
  readonly paused: number
  /** Failed for good, until a person asks again or sets it aside. */
  readonly deadLetters: number
}

export async function jobStandings(db: Db): Promise<readonly JobStanding[]> {
  // Each count begins with one range of an index: 'FAILED' of a project, 'error' of a queue. As `failures` counts.
  const { rows } = await sql<JobStanding>`
    select 'match' as job,
      count(*) filter (where paused_reason is null)::integer as going,
      count(paused_reason)::integer as paused,
      (select coalesce(sum(failed.n), 0)::integer from project p, lateral (
        select count(*) as n from subject s join entry e on e.id = s.entry_id
        where s.project_id = p.id and s.status = 'FAILED' and e.absent_since is null and not ${isJudgedSubject}
      ) failed) as "deadLetters"
    from run where status = 'open'
    union all
    select 'extract', count(*) filter (where paused_reason is null)::integer, count(paused_reason)::integer,
      (select count(*)::integer from extract_page p
        where p.state = 'failed' and p.run_id in (select id from extract_run where status = 'open'))
    from extract_run where status = 'open'
    union all
    select 'download', count(*) filter (where paused_reason is null)::integer, count(paused_reason)::integer,
      (select coalesce(sum(failed.n), 0)::integer from download_queues q, lateral (
        select count(*) as n from jobs j where j.queue = q.name and j.state = 'error'
      ) failed)
    from download_queues where temporal_run_id is not null`.execute(db)
  return rows
}

/** What an open run, not a paused one, has still to do; it works as long as any of this changes. */
export interface RunMark {
  readonly job: 'match' | 'extract'
  readonly runId: number
  readonly left: number
  readonly openTasks: number
  /** Of the last request that was answered, ms since the epoch; null: none was. */
  readonly lastAnswerMs: number | null
  readonly isPaused: boolean
}

export async function runMarks(db: Db): Promise<readonly RunMark[]> {
  const { rows } = await sql<RunMark>`
    select 'match' as job, r.id as "runId", r.paused_reason is not null as "isPaused",
      (select count(*)::integer from subject s
        where s.project_id = r.project_id and s.status = 'QUEUED' and s.run_id = r.id) as left,
      (select count(*)::integer from task t where t.run_id = r.id and t.status = 'open') as "openTasks",
      (select (extract(epoch from max(a.attempted_at)) * 1000)::float8 from (
        select attempted_at from attempt a where a.run_id = r.id and a.outcome = 'ok'
        order by attempted_at desc limit 1
      ) a) as "lastAnswerMs"
    from run r where r.status = 'open'
    union all
    select 'extract', r.id, r.paused_reason is not null,
      (select count(*)::integer from extract_page p where p.run_id = r.id and p.state = 'open'),
      (select coalesce(sum(c.pages_done), 0)::integer from extract_checkpoint c where c.run_id = r.id),
      (select (extract(epoch from max(p.stored_at)) * 1000)::float8 from extract_page p where p.run_id = r.id)
    from extract_run r where r.status = 'open'`.execute(db)
  return rows
}

/** Whom projects and sources ask: names of services, or addresses. */
export async function servicesInUse(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ service: string | null }>`
    select s.settings->>'service' as service
    from project p join project_setting s on s.project_id = p.id and s.revision = p.revision
    union
    select profile->>'baseUrl' from extract_run`.execute(db)
  return rows.flatMap(({ service }) => service ?? [])
}

export async function databaseBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select pg_database_size(current_database()) as bytes`.execute(db)
  return rows[0]?.bytes ?? 0
}
