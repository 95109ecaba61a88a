import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connect.ts'
import { areJudgmentsFew, wasJudged } from './current-judgment.ts'
import { REFRESH_FAILED } from './task-subjects.repo.ts'

/** A project's records by status and outcome; judged ones count as completed. */
export interface ProjectCounts {
  readonly total: number
  readonly completed: number
  readonly failed: number
  readonly cancelled: number
  readonly queued: number
  readonly fresh: number
  readonly matched: number
  readonly review: number
  readonly noCandidate: number
  readonly skipped: number
  readonly judged: number
  readonly stale: number
}

/**
 * Counts the present records of a project: all of them by the tally that the database keeps, less those that were ever judged or
 * are absent, which are mostly few, and are looked at one by one.
 */
export async function countProject(db: Db, projectId: number): Promise<ProjectCounts> {
  const areFew = await areJudgmentsFew(db)
  const { rows } = await sql<ProjectCounts>`
    with apart as materialized (
      select s.id, s.entry_id, s.status, s.outcome, s.match_hash, s.item_changed_at
      from subject s
      where s.project_id = ${projectId}::bigint and ${wasJudged(areFew)}
      union
      select s.id, s.entry_id, s.status, s.outcome, s.match_hash, s.item_changed_at
      from entry e join subject s on s.entry_id = e.id and s.project_id = ${projectId}::bigint
      where e.absent_since is not null
    ),
    held as (
      select distinct on (j.subject_id) j.subject_id, j.verdict, j.match_hash, j.judged_at
      from apart join judgment j on j.subject_id = apart.id
      left join judgment u on u.undoes = j.id
      where j.verdict <> 'undo' and u.id is null
      order by j.subject_id, j.id desc
    ),
    unjudged as (
      select status, outcome, records from record_tally where project_id = ${projectId}::bigint
      union all
      select status, outcome, -count(*) from apart group by status, outcome
    ),
    counted as (
      select false as judged, status, false as stale, records, ${unjudgedStatus(sql``)} as match_status
      from unjudged
      union all
      select j.verdict is not null, s.status,
        coalesce(j.match_hash <> s.match_hash or s.item_changed_at > j.judged_at, false), 1,
        case when j.verdict = 'match' then 'matched' when j.verdict is not null then j.verdict
          else ${unjudgedStatus(sql`s.`)} end
      from apart s
      left join held j on j.subject_id = s.id
      where not exists (select from entry e where e.id = s.entry_id and e.absent_since is not null)
    )
    select ${sumOf(sql`true`)} as total,
      ${sumOf(sql`judged or status = 'COMPLETED'`)} as completed,
      ${sumOf(sql`not judged and status = 'FAILED'`)} as failed,
      ${sumOf(sql`not judged and status = 'CANCELLED'`)} as cancelled,
      ${sumOf(sql`not judged and status = 'QUEUED'`)} as queued,
      ${sumOf(sql`not judged and status = 'NEW'`)} as fresh,
      ${sumOf(sql`match_status = 'matched'`)} as matched,
      ${sumOf(sql`match_status = 'review'`)} as review,
      ${sumOf(sql`match_status in ('no_candidate', 'none_fits', 'not_in_wikidata')`)} as "noCandidate",
      ${sumOf(sql`match_status in ('skipped', 'not_applicable')`)} as skipped,
      ${sumOf(sql`judged`)} as judged,
      ${sumOf(sql`stale`)} as stale
    from counted`.execute(db)
  const counts = rows[0]
  if (counts === undefined) throw new Error('An aggregate without a group always has one row.')
  return counts
}

/** @param of alias of the subject, with its dot */
function unjudgedStatus(of: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    case when ${of}status = 'COMPLETED' or (${of}status = 'QUEUED' and ${of}outcome is not null) then ${of}outcome
      else lower(${of}status) end`
}

/** @param condition on rows that each stand for a number of `records` */
function sumOf(condition: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`coalesce(sum(records) filter (where ${condition}), 0)::integer`
}

/** Outside calls of one run. */
export interface RequestCounts {
  readonly sent: number
  readonly throttled: number
  readonly failed: number
}

export async function countRequests(db: Db, runId: number): Promise<RequestCounts> {
  const { rows } = await sql<RequestCounts>`
    select count(*)::integer as sent,
      count(*) filter (where outcome = 'throttled')::integer as throttled,
      count(*) filter (where outcome not in ('ok', 'redirect', 'throttled', 'cancelled'))::integer as failed
    from attempt where run_id = ${runId}::bigint`.execute(db)
  return rows[0] ?? { sent: 0, throttled: 0, failed: 0 }
}

/** Records of a run that are decided on an answer which it could not renew. */
export async function countRefreshFailures(db: Db, runId: number): Promise<number> {
  const { count } = await db
    .selectFrom('subject')
    .where('run_id', '=', runId)
    .where('status', '=', 'COMPLETED')
    .where('error_code', '=', REFRESH_FAILED)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** How a run stands: its own records and what its service does. */
export interface RunStanding {
  /** Records of this run, and those of them that are finished. */
  readonly records: number
  readonly finished: number
  readonly matched: number
  readonly review: number
  readonly noCandidate: number
  readonly failed: number
  readonly pausedReason: string | null
  /** Null: it is not paused, or was by a version that did not note it. */
  readonly pausedSince: Date | null
  /** Set while the last calls of the run all failed: since when, and with what. */
  readonly trouble: { readonly sinceMs: number; readonly code: string } | null
}

export async function runStanding(db: Db, runId: number): Promise<RunStanding> {
  const { rows } = await sql<Omit<RunStanding, 'trouble'>>`
    select ${sumOf(sql`true`)} as records,
      ${sumOf(sql`c.status in ('COMPLETED', 'FAILED', 'CANCELLED')`)} as finished,
      ${sumOf(sql`c.status = 'COMPLETED' and c.outcome = 'matched'`)} as matched,
      ${sumOf(sql`c.status = 'COMPLETED' and c.outcome = 'review'`)} as review,
      ${sumOf(sql`c.status = 'COMPLETED' and c.outcome = 'no_candidate'`)} as "noCandidate",
      ${sumOf(sql`c.status = 'FAILED'`)} as failed,
      r.paused_reason as "pausedReason",
      case when r.paused_reason is not null then r.pause_moved_at end as "pausedSince"
    from run r left join record_tally c on c.run_id = r.id
    where r.id = ${runId}::bigint group by r.id`.execute(db)
  const standing = rows[0]
  if (standing === undefined) throw new Error(`Run ${runId} is gone.`)
  return { ...standing, trouble: await troubleOf(db, runId) }
}

/** The domain that a run asked last; null before its first request. */
export async function lastDomainOf(db: Db, runId: number): Promise<string | null> {
  const row = await db
    .selectFrom('attempt')
    .select('domain')
    .where('run_id', '=', runId)
    .orderBy('attempted_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.domain ?? null
}

async function troubleOf(db: Db, runId: number): Promise<RunStanding['trouble']> {
  const { rows } = await sql<{ sinceMs: number; code: string | null }>`
    with last_ok as (
      select coalesce(max(attempted_at), '-infinity') as at from attempt
      where run_id = ${runId}::bigint and outcome = 'ok'
    )
    select (extract(epoch from (clock_timestamp() - min(a.attempted_at))) * 1000)::bigint as "sinceMs",
      (array_agg(coalesce(a.code, a.outcome) order by a.attempted_at desc))[1] as code
    from attempt a, last_ok
    where a.run_id = ${runId}::bigint and a.attempted_at > last_ok.at
      and a.outcome in ('throttled', 'unreachable', 'transient')
    having count(*) > 0`.execute(db)
  const row = rows[0]
  return row === undefined ? null : { sinceMs: row.sinceMs, code: row.code ?? 'unknown' }
}
