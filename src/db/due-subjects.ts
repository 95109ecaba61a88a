import { type RawBuilder, sql } from 'kysely'
import type { FailedPick, RunOptions } from '../core/run.ts'
import type { Db } from './connect.ts'
import { currentJudgmentOfSubject } from './current-judgment.ts'

/** Why a subject is due; see DESIGN §1 for the ways back to QUEUED. */
export type DueReason =
  | 'new'
  | 'cancelled'
  | 'left_over'
  | 'changed_cells'
  | 'changed_settings'
  | 'old_answers'
  | 'new_answers'
  | 'failed'
  /** Set aside by a person, and named by a retry. */
  | 'set_aside'
  /** Decided as it stands, and named by `only`. */
  | 'picked'
  /** Decided, and the run is to decide again from stored answers. */
  | 'rescored'

export interface DueQuestion {
  readonly projectId: number
  readonly revision: number
  /** Null before the run exists: then every QUEUED subject was left over by an earlier run. */
  readonly runId: number | null
  readonly options: Pick<RunOptions, 'retryFailed' | 'failed' | 'only' | 'rescore'>
  /** Records with an answer from before this moment are due; null or absent: none for that reason. */
  readonly refreshBefore?: Date | null
  /** The project takes what another one left over; absent: it may. */
  readonly isChained?: boolean
  /** Match hashes as they will be once the subjects are brought up to date; absent: they are up to date. */
  readonly recomputed?: readonly RecomputedHash[]
}

export interface RecomputedHash {
  readonly entryId: number
  readonly matchHash: Buffer
}

/** Numbers of subjects by what the next run would do with them. */
export interface DueCounts {
  readonly due: Readonly<Record<DueReason, number>>
  /** Judged ones that are left alone. */
  readonly judged: number
  /** Judged ones whose answers are too old: they are asked about, and what is judged stays. */
  readonly judgedAskedAgain: number
  readonly failedWaiting: number
  readonly present: number
}

/**
 * Joins entry `e` and its subject `s` and says in `due` why a record is due, null when it is not: absent, decided as it
 * stands, failed without `retryFailed`, outside the outcomes that the project before it left over, none of `only`, or
 * judged; set aside by a person, unless its cells changed since; a judged match is asked about again when its answers are
 * too old. A run that asks nobody takes those that have a decision to go back to.
 */
export function subjectsWithDue(question: DueQuestion): RawBuilder<unknown> {
  const { projectId, revision, runId, options, refreshBefore = null, recomputed } = question
  const { isChained = true } = question
  const { retryFailed, failed = null, only, rescore } = options
  const isPicking = only !== null
  const isSetAside = sql`(s.status = 'COMPLETED' and s.outcome = 'skipped'
    and exists (select 1 from decision d where d.id = s.decision_id and d.decided_by is not null))`
  // Record by record: as a set it would be looked through again for each record once it is too large for memory.
  const hasOldAnswers =
    refreshBefore === null
      ? sql`false`
      : sql`exists (
          select from subject_lookup sl join lookup l on l.id = sl.lookup_id
          where sl.subject_id = s.id and l.status = 'answered'
            and l.answered_at < ${refreshBefore}::timestamptz)`
  // Answered otherwise in a run that ended before it had decided again, or for another project. Most databases have none at all.
  const hasNewAnswers = sql`(exists (select from lookup where refreshed_at is not null) and exists (
      select from subject_lookup sl
      join lookup l on l.id = sl.lookup_id
      join decision d on d.id = s.decision_id
      where sl.subject_id = s.id and l.refreshed_at > d.decided_at))`
  const now =
    recomputed === undefined ? sql`s.match_hash` : sql`coalesce(fresh.match_hash, s.match_hash)`
  const recomputedHashes =
    recomputed === undefined
      ? sql``
      : sql`left join unnest(
          ${recomputed.map(({ entryId }) => entryId)}::bigint[],
          ${recomputed.map(({ matchHash }) => matchHash)}::bytea[]
        ) as fresh (entry_id, match_hash) on fresh.entry_id = e.id`
  return sql`
    select s.id, e.id as entry_id, e.position, e.external_id, coalesce(s.status, 'NEW') as status,
      j.subject_id is not null as judged,
      case
        when p.after_project_id is not null
          and not coalesce(p.after_outcomes ? earlier.match_status, false) then null
        when j.subject_id is not null then
          case when not ${rescore}::boolean and j.verdict = 'match' and s.status = 'COMPLETED' and ${hasOldAnswers}
            then 'old_answers' end
        when ${failed !== null}::boolean then
          case when not ${isPickedFailed(failed)} then null
            when s.status = 'FAILED' then 'failed'
            when ${isSetAside} then 'set_aside' end
        when ${isSetAside} and (${rescore}::boolean or s.decided_hash = ${now}) then null
        when ${rescore}::boolean and (s.decision_id is null or s.outcome is null) then null
        when ${rescore}::boolean and s.status = 'COMPLETED' then 'rescored'
        when ${rescore}::boolean and s.status is distinct from 'QUEUED' then null
        when ${isPicking}::boolean and not (
          case when s.status = 'COMPLETED' then s.outcome else lower(coalesce(s.status, 'NEW')) end = any(${only ?? []}::text[]))
          then null
        when s.status is null or s.status = 'NEW' then 'new'
        when s.status = 'CANCELLED' then 'cancelled'
        when s.status = 'QUEUED' and s.run_id is distinct from ${runId}::bigint then 'left_over'
        when s.status = 'COMPLETED' and s.decided_hash <> ${now} then 'changed_cells'
        when s.status = 'COMPLETED' and s.decided_revision < ${revision}::integer
          then 'changed_settings'
        when s.status = 'COMPLETED' and ${hasOldAnswers} then 'old_answers'
        when s.status = 'COMPLETED' and ${hasNewAnswers} then 'new_answers'
        when s.status = 'FAILED' and ${retryFailed || isPicking}::boolean then 'failed'
        when s.status = 'COMPLETED' and ${isPicking}::boolean then 'picked'
      end as due
    from project p
    join entry e on e.dataset_id = p.dataset_id
    left join subject s on s.entry_id = e.id and s.project_id = p.id
    ${currentJudgmentOfSubject}
    ${
      isChained
        ? sql`left join result earlier
            on earlier.project_id = p.after_project_id and earlier.entry_id = e.id`
        : sql`cross join (select null::text as match_status) as earlier`
    }
    ${recomputedHashes}
    where p.id = ${projectId}::bigint and e.absent_since is null`
}

/** A condition on subject `s`: it is one of these, if it failed or is set aside. Without ids only failed ones have a code. */
export function isPickedFailed(pick: FailedPick | null): RawBuilder<boolean> {
  const { codes, subjectIds } = pick ?? { codes: null, subjectIds: null }
  return sql<boolean>`(
    (${codes}::text[] is null or coalesce(s.error_code = any(${codes}::text[]), false))
    and case when ${subjectIds}::bigint[] is null then s.status = 'FAILED'
      else s.id = any(${subjectIds}::bigint[]) end)`
}

/** Counts what the next run would do; changes nothing. */
export async function countDue(db: Db, question: DueQuestion): Promise<DueCounts> {
  const { rows } = await sql<{
    due: DueReason | null
    judged: boolean
    failed: boolean
    count: number
  }>`
    select due, judged, status = 'FAILED' as failed, count(*)::integer as count
    from (${subjectsWithDue(question)}) as subjects
    group by 1, 2, 3`.execute(db)
  const sum = (picked: typeof rows) => picked.reduce((total, row) => total + row.count, 0)
  const of = (reason: DueReason) => sum(rows.filter((row) => row.due === reason))
  return {
    due: {
      new: of('new'),
      cancelled: of('cancelled'),
      left_over: of('left_over'),
      changed_cells: of('changed_cells'),
      changed_settings: of('changed_settings'),
      old_answers: of('old_answers'),
      new_answers: of('new_answers'),
      failed: of('failed'),
      set_aside: of('set_aside'),
      picked: of('picked'),
      rescored: of('rescored'),
    },
    judged: sum(rows.filter((row) => row.judged && row.due === null)),
    judgedAskedAgain: sum(rows.filter((row) => row.judged && row.due !== null)),
    failedWaiting: sum(rows.filter((row) => row.failed && !row.judged && row.due === null)),
    present: sum(rows),
  }
}
