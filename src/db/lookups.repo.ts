import { sql } from 'kysely'
import type { CandidateList } from '../core/matching/candidate.ts'
import type { LookupQuery } from '../core/matching/lookup-query.ts'
import type { Db } from './connect.ts'
import type { TaskKey } from './task-subjects.repo.ts'

/** A lookup that this task is to ask. */
export interface ClaimedLookup {
  readonly id: number
  readonly query: LookupQuery
  readonly attempts: number
  /** Not before so many ms from now; 0 when it can be asked at once. */
  readonly waitMs: number
}

export interface ClaimedLookups {
  readonly claimed: readonly ClaimedLookup[]
  /** Missing answers that another open task is asking for. */
  readonly askedElsewhere: number
}

/** Longer than the longest wait between two attempts; a task that lives claims again before. */
const CLAIM_MINUTES = 10

/**
 * Claims the missing lookups up to `position` of the task's queued subjects. A claim holds while its task and run are
 * open and not paused, so a lookup that two tasks share is asked once.
 */
export async function claimLookups(
  db: Db,
  key: TaskKey,
  position: number,
): Promise<ClaimedLookups> {
  const missing = sql`
    select distinct l.id
    from subject s
    join subject_lookup sl on sl.subject_id = s.id and sl.position <= ${position}::smallint
    join lookup l on l.id = sl.lookup_id and l.status = 'missing'
    where s.run_id = ${key.runId}::bigint and s.task_number = ${key.task}::integer
      and s.status = 'QUEUED'`
  const { rows } = await sql<ClaimedLookup & { mine: boolean }>`
    with missing as (${missing}),
    claimed as (
      update lookup l
      set claimed_run_id = ${key.runId}::bigint, claimed_task = ${key.task}::integer,
        claimed_at = clock_timestamp()
      where l.id in (select id from missing order by id) and l.status = 'missing' and (
        l.claimed_run_id is null
        or (l.claimed_run_id = ${key.runId}::bigint and l.claimed_task = ${key.task}::integer)
        or l.claimed_at < clock_timestamp() - ${CLAIM_MINUTES} * interval '1 minute'
        or not exists (
          select 1 from task t join run r on r.id = t.run_id
          where t.run_id = l.claimed_run_id and t.number = l.claimed_task
            and t.status = 'open' and r.status = 'open' and r.paused_reason is null))
      returning l.id, l.query, l.attempts,
        greatest(0, extract(epoch from (l.next_attempt_at - clock_timestamp())) * 1000)::integer as wait
    )
    select m.id, c.query, c.attempts, coalesce(c.wait, 0) as "waitMs", c.id is not null as mine
    from missing m left join claimed c on c.id = m.id
    order by m.id`.execute(db)
  const claimed = rows.filter((row) => row.mine)
  return { claimed, askedElsewhere: rows.length - claimed.length }
}

export interface StoredAnswer {
  /** Of the lookup. */
  readonly id: number
  readonly list: CandidateList
  readonly rawJson: string | null
}

/** Stores the answers of one request at once, so that a retry asks only what is missing. */
export async function storeAnswers(db: Db, answers: readonly StoredAnswer[]): Promise<void> {
  if (answers.length === 0) return
  await sql`
    update lookup l
    set status = 'answered', answer = a.answer, raw = a.raw, answered_at = now(), next_attempt_at = null,
      error_kind = null, error_code = null, error_message = null
    from unnest(
      ${answers.map(({ id }) => id)}::bigint[],
      ${answers.map(({ list }) => JSON.stringify(list))}::jsonb[],
      ${answers.map(({ rawJson }) => rawJson)}::json[]
    ) as a (lookup_id, answer, raw)
    where l.id = a.lookup_id`.execute(db)
}

export interface LookupFailure {
  readonly lookupId: number
  readonly kind: string
  readonly code: string
  readonly message: string
  /** Ask again after so many ms; null: never, it has FAILED. */
  readonly retryInMs: number | null
}

/** Counts one failed attempt of each lookup, and ends or postpones it. An answered lookup stays answered. */
export async function storeFailures(db: Db, failures: readonly LookupFailure[]): Promise<void> {
  if (failures.length === 0) return
  await sql`
    update lookup l
    set attempts = l.attempts + 1,
      status = case when f.retry_in_ms is null then 'failed' else 'missing' end,
      next_attempt_at = clock_timestamp() + f.retry_in_ms * interval '1 millisecond',
      error_kind = f.kind, error_code = f.code, error_message = f.message
    from unnest(
      ${failures.map((one) => one.lookupId)}::bigint[],
      ${failures.map((one) => one.kind)}::text[],
      ${failures.map((one) => one.code)}::text[],
      ${failures.map((one) => one.message)}::text[],
      ${failures.map((one) => one.retryInMs)}::integer[]
    ) as f (lookup_id, kind, code, message, retry_in_ms)
    where l.id = f.lookup_id and l.status = 'missing'`.execute(db)
}

export interface RunLookupCounts {
  readonly lookups: number
  /** Without a stored answer. */
  readonly lookupsMissing: number
  /** Of these: main names, which are asked in any case; variants may never be. */
  readonly mainNamesMissing: number
}

/** Distinct questions of a run's queued subjects. */
export async function countRunLookups(db: Db, runId: number): Promise<RunLookupCounts> {
  const { rows } = await sql<RunLookupCounts>`
    select count(*)::integer as lookups,
      count(*) filter (where not answered)::integer as "lookupsMissing",
      count(*) filter (where not answered and is_main)::integer as "mainNamesMissing"
    from (
      select l.status = 'answered' as answered, bool_or(sl.position = 0) as is_main
      from subject s
      join subject_lookup sl on sl.subject_id = s.id
      join lookup l on l.id = sl.lookup_id
      where s.run_id = ${runId}::bigint and s.status = 'QUEUED'
      group by l.id
    ) as asked`.execute(db)
  return rows[0] ?? { lookups: 0, lookupsMissing: 0, mainNamesMissing: 0 }
}
