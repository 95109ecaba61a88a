import { sql } from 'kysely'
import type { Decision } from '../core/matching/decision.ts'
import type { AnsweredRecord } from '../core/matching/judge-subject.ts'
import type { Db } from './connect.ts'
import { recordPast } from './record-past.ts'
import { answersOf } from './subject-answers.ts'

/** A queued record of a task with all that is needed to decide it. */
export interface TaskSubject extends AnsweredRecord {
  readonly subjectId: number
  /** Hex of the match hash of the cells that were asked about; a row imported since is due again. */
  readonly askedHash: string
  /** An answer of it that the run could not renew, so that the old one stays in use; null: none. */
  readonly refreshFailure: RefreshFailure | null
}

export interface RefreshFailure {
  readonly code: string
  readonly message: string
  /** Day of the answer that stays in use, `2026-10-01`. */
  readonly answeredOn: string
}

export interface TaskKey {
  readonly runId: number
  readonly task: number
}

export interface SubjectPage {
  readonly afterSubjectId: number
  readonly pageSize: number
  /** Of the settings by which they are to be decided. */
  readonly settingsRevision: number
}

/** A page of the task's queued subjects, by id. */
export async function queuedSubjects(
  db: Db,
  key: TaskKey,
  { afterSubjectId, pageSize, settingsRevision }: SubjectPage,
): Promise<readonly TaskSubject[]> {
  const { rows } = await sql<TaskSubject>`
    select s.id as "subjectId", e.source as cells, encode(coalesce(s.asked_hash, s.match_hash), 'hex') as "askedHash",
      ${answersOf('s')} as answers,
      ${recordPast(settingsRevision)} as past,
      (select json_build_object('code', l.error_code, 'message', l.error_message,
          'answeredOn', to_char(l.answered_at at time zone 'UTC', 'YYYY-MM-DD'))
        from subject_lookup sl join lookup l on l.id = sl.lookup_id
        where sl.subject_id = s.id and l.refresh_failed_at >= r.started_at
        order by sl.position limit 1) as "refreshFailure"
    from subject s join entry e on e.id = s.entry_id join run r on r.id = s.run_id
    where s.run_id = ${key.runId}::bigint and s.task_number = ${key.task}::integer
      and s.status = 'QUEUED' and s.id > ${afterSubjectId}::bigint
    order by s.id limit ${pageSize}::integer`.execute(db)
  return rows
}

export interface DecidedSubject {
  readonly subjectId: number
  readonly askedHash: string
  readonly refreshFailure: RefreshFailure | null
  readonly decision: Decision
}

export interface DecisionContext extends TaskKey {
  readonly service: string
  readonly settingsRevision: number
  readonly weightsVersion: string
}

/** `error_code` of a record that is decided on an answer which could not be renewed. */
export const REFRESH_FAILED = 'refresh_failed'

function refreshFailureText({ code, message, answeredOn }: RefreshFailure): string {
  return `The answer of ${answeredOn} stays in use, for it could not be renewed (${code}): ${message}`
}

/**
 * Writes decisions and finishes their subjects in one statement. Guarded: a row that is no longer QUEUED by this run
 * (cancelled, deleted, taken over) is left as it is, and no decision is written for it.
 * @returns how many were written.
 */
export async function writeDecisions(
  db: Db,
  context: DecisionContext,
  decided: readonly DecidedSubject[],
): Promise<number> {
  if (decided.length === 0) return 0
  const rows = decided.map(({ subjectId, askedHash, refreshFailure, decision }) => ({
    subject_id: subjectId,
    error_code: refreshFailure === null ? null : REFRESH_FAILED,
    error_message: refreshFailure === null ? null : refreshFailureText(refreshFailure),
    match_hash: askedHash,
    outcome: decision.outcome,
    rule: decision.rule,
    reason: decision.reason,
    external_id: decision.best?.id ?? null,
    score: decision.best?.score ?? null,
    margin: decision.margin,
    runner_up: decision.runnerUp?.id ?? null,
    evidence: decision.evidence,
  }))
  const { rows: written } = await sql<{ id: number }>`
    with fresh as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as fresh (
        subject_id bigint, match_hash text, outcome text, rule text, reason text,
        external_id text, score real, margin real, runner_up text, evidence jsonb,
        error_code text, error_message text)
    ),
    still as (
      -- By their ids: right after a plan nothing is known of how many are queued, and a join would compare each with all.
      select s.id from subject s where s.id = any(${rows.map((row) => row.subject_id)}::bigint[])
        and s.status = 'QUEUED' and s.run_id = ${context.runId}::bigint
      for update of s
    ),
    inserted as (
      insert into decision (subject_id, run_id, settings_revision, weights_version, match_hash, outcome,
        rule, reason, service, external_id, score, margin, runner_up, evidence)
      select subject_id, ${context.runId}::bigint, ${context.settingsRevision}::integer,
        ${context.weightsVersion}::text, decode(match_hash, 'hex'), outcome,
        rule, reason, ${context.service}::text, external_id, score, margin, runner_up, evidence
      from fresh join still on still.id = fresh.subject_id
      returning id, subject_id, outcome, match_hash
    )
    update subject s
    set status = 'COMPLETED', outcome = inserted.outcome, decision_id = inserted.id,
      decided_hash = inserted.match_hash, decided_revision = ${context.settingsRevision}::integer,
      error_code = fresh.error_code, error_message = fresh.error_message, updated_at = now()
    from inserted join fresh on fresh.subject_id = inserted.subject_id
    where inserted.subject_id = s.id
    returning s.id`.execute(db)
  return written.length
}

export interface SubjectFailure {
  readonly subjectId: number
  readonly code: string
  readonly message: string
}

/** Marks queued subjects of a run FAILED, each with its code and message; guarded like `writeDecisions`. */
export async function failSubjects(
  db: Db,
  runId: number,
  failures: readonly SubjectFailure[],
): Promise<void> {
  if (failures.length === 0) return
  await sql`
    update subject s
    set status = 'FAILED', outcome = null, error_code = f.code, error_message = f.message, updated_at = now()
    from unnest(
      ${failures.map((one) => one.subjectId)}::bigint[],
      ${failures.map((one) => one.code)}::text[],
      ${failures.map((one) => one.message)}::text[]
    ) as f (subject_id, code, message)
    where s.id = f.subject_id and s.status = 'QUEUED' and s.run_id = ${runId}::bigint`.execute(db)
}

/** Marks whatever a task left QUEUED as FAILED; a decision that was to be renewed stands, and says so. */
export async function failTaskSubjects(
  db: Db,
  key: TaskKey,
  failure: { readonly code: string; readonly message: string },
): Promise<void> {
  await keepJudged(db, key)
  await sql`
    update subject s
    set status = case when s.outcome is null then 'FAILED' else 'COMPLETED' end,
      error_code = case when s.outcome is null then ${failure.code}::text else ${REFRESH_FAILED}::text end,
      error_message = case when s.outcome is null then ${failure.message}::text
        else ${`Its answers could not be renewed (${failure.code}): ${failure.message}`}::text end,
      updated_at = now()
    where s.run_id = ${key.runId}::bigint and s.task_number = ${key.task}::integer
      and s.status = 'QUEUED'`.execute(db)
}

/**
 * Finishes the queued subjects of a task that a person has judged and that were decided before: they were asked about
 * to see whether the item changed, and are not decided again.
 */
export async function keepJudged(db: Db, key: TaskKey): Promise<void> {
  await sql`
    update subject s set status = 'COMPLETED', updated_at = now()
    where s.run_id = ${key.runId}::bigint and s.task_number = ${key.task}::integer
      and s.status = 'QUEUED' and s.outcome is not null
      and exists (select 1 from current_judgment j where j.subject_id = s.id)`.execute(db)
}

/** Marks what a run left QUEUED as CANCELLED; decided rows stay, also those that were to be renewed. */
export async function cancelQueuedSubjects(db: Db, runId: number): Promise<void> {
  await sql`
    update subject s
    set status = case when s.outcome is null then 'CANCELLED' else 'COMPLETED' end, updated_at = now()
    where s.run_id = ${runId}::bigint and s.status = 'QUEUED'`.execute(db)
}

export async function countQueued(db: Db, runId: number): Promise<number> {
  const row = await db
    .selectFrom('subject')
    .where('run_id', '=', runId)
    .where('status', '=', 'QUEUED')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

/** Ends a task: its claims on lookups are void from now on. */
export async function closeTask(db: Db, key: TaskKey, status: 'done' | 'failed'): Promise<void> {
  await db
    .updateTable('task')
    .set({ status })
    .where('run_id', '=', key.runId)
    .where('number', '=', key.task)
    .where('status', '=', 'open')
    .execute()
}
