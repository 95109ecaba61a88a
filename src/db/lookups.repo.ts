import { sql } from 'kysely'
import type { CandidateList } from '../core/matching/candidate.ts'
import { changedItems } from '../core/matching/changed-items.ts'
import type { LookupQuery } from '../core/matching/lookup-query.ts'
import { isClaimable } from './claim.ts'
import type { Db } from './connect.ts'
import { isToAsk, isToRenew } from './lookup-to-ask.ts'
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

/**
 * Claims what is to be asked of the task's queued subjects: names up to `position` without an answer, and whatever the
 * run renews (`isClaimable`). In file order of the records, which is the order a dry run shows.
 */
export async function claimLookups(
  db: Db,
  key: TaskKey,
  position: number,
): Promise<ClaimedLookups> {
  const missing = sql`
    select l.id, min(e.position) as record_place, min(sl.position) as name_place
    from subject s
    join run r on r.id = s.run_id
    join entry e on e.id = s.entry_id
    join subject_lookup sl on sl.subject_id = s.id
    join lookup l on l.id = sl.lookup_id
    where s.run_id = ${key.runId}::bigint and s.task_number = ${key.task}::integer
      and s.status = 'QUEUED'
      and ((sl.position <= ${position}::smallint and l.status = 'missing') or ${isToRenew})
    group by l.id`
  const { rows } = await sql<ClaimedRow | MissingRow>`
    with missing as materialized (${missing}),
    claimed as (
      update lookup l
      set claimed_run_id = ${key.runId}::bigint, claimed_task = ${key.task}::integer,
        claimed_at = clock_timestamp()
      from run r
      where r.id = ${key.runId}::bigint and l.id = any(array(select id from missing order by id))
        and ${isToAsk} and ${isClaimable('l', key)}
      returning l.id, l.query, l.attempts,
        greatest(0, extract(epoch from (l.next_attempt_at - clock_timestamp())) * 1000)::integer as wait
    )
    select id, query, attempts, wait as "waitMs", null as place from claimed
    union all
    select id, null, null, null, row_number() over (order by record_place, name_place, id) from missing`.execute(
    db,
  )
  // Put together here: of either part PostgreSQL expects one row, and would compare each with each.
  const claimed = new Map(rows.flatMap((row) => (isMissingRow(row) ? [] : [[row.id, row]])))
  const inOrder = rows.filter(isMissingRow).toSorted((a, b) => a.place - b.place)
  return {
    claimed: inOrder.flatMap(({ id }) => claimed.get(id) ?? []),
    askedElsewhere: inOrder.length - claimed.size,
  }
}

interface ClaimedRow extends ClaimedLookup {
  readonly place: null
}

interface MissingRow {
  readonly id: number
  readonly place: number
}

function isMissingRow(row: ClaimedRow | MissingRow): row is MissingRow {
  return row.place !== null
}

/** An answer with what is known of where it came from. */
export interface IncomingAnswer {
  /** Of the lookup. */
  readonly id: number
  readonly list: CandidateList
  readonly rawJson: string | null
  /** Of the answer (BCP 47); null where the service names none. */
  readonly language: string | null
  /** Row of `service_version`; null where nothing is known of the service. */
  readonly serviceVersionId: number | null
}

/**
 * Stores the answers of one request at once, so that a retry asks only what is missing. Others may write the same rows, so
 * whoever asked repeats what PostgreSQL undoes (`repeat-undone.ts`). Where one takes the place of another, records whose
 * judged item it shows otherwise become stale; what was judged stays.
 */
export async function storeAnswers(db: Db, answers: readonly IncomingAnswer[]): Promise<void> {
  if (answers.length === 0) return
  await db.transaction().execute((tx) => writeAnswers(tx, answers))
}

async function writeAnswers(tx: Db, answers: readonly IncomingAnswer[]): Promise<void> {
  const { rows } = await sql<{ id: number; before: CandidateList | null }>`
      with old as (
        select id, answer, refresh_failed_at from lookup where id = any(${answers.map(({ id }) => id)}::bigint[])
        -- In the order of planning; and beside rows that refer to them, which may be of a long transaction.
        order by service, key_hash for no key update)
      update lookup l
      set status = 'answered', answer = a.answer, raw = a.raw, answered_at = clock_timestamp(),
        language = a.language, service_version_id = a.service_version_id,
        attempts = 0, next_attempt_at = null,
        -- Who was decided by an answer that came again as it was, as after a death, would be decided alike.
        refreshed_at = case when old.answer is null then null
          when old.answer <> a.answer or old.refresh_failed_at is not null then clock_timestamp()
          else l.refreshed_at end,
        refresh_failed_at = null, error_kind = null, error_code = null, error_message = null
      from old, json_to_recordset(${answersJson(answers)}::json) as a (
        id bigint, answer jsonb, raw json, language text, service_version_id bigint)
      where l.id = old.id and l.id = a.id
      returning l.id, old.answer as before`.execute(tx)
  const before = new Map(rows.map((row) => [row.id, row.before]))
  for (const { id, list } of answers) {
    const old = before.get(id) ?? null
    if (old !== null) await markChanged(tx, id, changedItems(old, list))
  }
}

/** One text: as an array of texts the driver would escape every character of it by itself. The raw answer stays as it came. */
function answersJson(answers: readonly IncomingAnswer[]): string {
  const rows = answers.map(({ id, list, rawJson, language, serviceVersionId }) => {
    const known = JSON.stringify({
      id,
      answer: list,
      language,
      service_version_id: serviceVersionId,
    })
    return `${known.slice(0, -1)},"raw":${rawJson ?? 'null'}}`
  })
  return `[${rows.join(',')}]`
}

async function markChanged(db: Db, lookupId: number, changed: readonly string[]): Promise<void> {
  if (changed.length === 0) return
  await sql`
    update subject s set item_changed_at = clock_timestamp()
    from subject_lookup sl, current_judgment j
    where sl.lookup_id = ${lookupId}::bigint and sl.subject_id = s.id and j.subject_id = s.id
      and j.verdict = 'match' and j.external_id = any(${changed}::text[])`.execute(db)
}

export interface LookupFailure {
  readonly lookupId: number
  readonly kind: string
  readonly code: string
  readonly message: string
  /** Ask again after so many ms; null: never, it has FAILED. */
  readonly retryInMs: number | null
}

/**
 * Counts one failed attempt of each lookup that the run asks, and ends or postpones it. An answered lookup stays
 * answered: it says when and why its answer could not be renewed.
 */
export async function storeFailures(
  db: Db,
  runId: number,
  failures: readonly LookupFailure[],
): Promise<void> {
  if (failures.length === 0) return
  await sql`
    update lookup l
    set attempts = case when l.status = 'answered' and f.retry_in_ms is null then 0 else l.attempts + 1 end,
      status = case when l.status = 'missing' and f.retry_in_ms is null then 'failed' else l.status end,
      refresh_failed_at = case when l.status = 'answered' and f.retry_in_ms is null
        then clock_timestamp() else l.refresh_failed_at end,
      next_attempt_at = clock_timestamp() + f.retry_in_ms * interval '1 millisecond',
      error_kind = f.kind, error_code = f.code, error_message = f.message
    from run r, unnest(
      ${failures.map((one) => one.lookupId)}::bigint[],
      ${failures.map((one) => one.kind)}::text[],
      ${failures.map((one) => one.code)}::text[],
      ${failures.map((one) => one.message)}::text[],
      ${failures.map((one) => one.retryInMs)}::integer[]
    ) as f (lookup_id, kind, code, message, retry_in_ms)
    where r.id = ${runId}::bigint and l.id = f.lookup_id and ${isToAsk}`.execute(db)
}

/** A candidate that an answer names by id. */
export interface NamedCandidate {
  readonly id: string
  /** What is known of its item is too old for the run, much older than the search that found it, or from before a merge. */
  readonly isStale: boolean
}

/** An item may have been fetched so long before the search that names it; the search was repeated to learn what is new. */
const ITEM_DAYS_BEFORE_SEARCH = 30

/** The candidates that the answers up to `position` of the task's queued subjects name. */
export async function namedCandidates(
  db: Db,
  key: TaskKey,
  position: number,
): Promise<readonly NamedCandidate[]> {
  const { rows } = await sql<NamedCandidate>`
    select c.value ->> 'id' as id, coalesce(bool_or(not i.has_failed and (
      coalesce(i.facts_at, i.checked_at) < r.refresh_before
      or coalesce(i.facts_at, i.checked_at) < l.answered_at - ${ITEM_DAYS_BEFORE_SEARCH} * interval '1 day'
      or (i.state = 'merged' and i.facts_at < i.checked_at))), false) as "isStale"
    from subject s
    join run r on r.id = s.run_id
    join subject_lookup sl on sl.subject_id = s.id and sl.position <= ${position}::smallint
    join lookup l on l.id = sl.lookup_id and l.status = 'answered'
    cross join lateral jsonb_array_elements(l.answer -> 'candidates') c
    left join item i on i.service = l.service and i.external_id = c.value ->> 'id'
    where s.run_id = ${key.runId}::bigint and s.task_number = ${key.task}::integer
      and s.status = 'QUEUED'
    group by c.value ->> 'id'
    order by id`.execute(db)
  return rows
}

export interface RunLookupCounts {
  readonly lookups: number
  /** Without a stored answer, or to be renewed. */
  readonly lookupsMissing: number
  /** Of these: main names and those to be renewed, which are asked in any case; variants may never be. */
  readonly askedInAnyCase: number
}

/** Distinct questions of a run's queued subjects. */
export async function countRunLookups(db: Db, runId: number): Promise<RunLookupCounts> {
  const { rows } = await sql<RunLookupCounts>`
    select count(*)::integer as lookups,
      count(*) filter (where not answered)::integer as "lookupsMissing",
      count(*) filter (where not answered and (is_main or is_to_renew))::integer as "askedInAnyCase"
    from (
      select l.status = 'answered' and not bool_or(${isToRenew}) as answered,
        bool_or(sl.position = 0) as is_main, bool_or(${isToRenew}) as is_to_renew
      from subject s
      join run r on r.id = s.run_id
      join subject_lookup sl on sl.subject_id = s.id
      join lookup l on l.id = sl.lookup_id
      where s.run_id = ${runId}::bigint and s.status = 'QUEUED'
      group by l.id
    ) as asked`.execute(db)
  return rows[0] ?? { lookups: 0, lookupsMissing: 0, askedInAnyCase: 0 }
}
