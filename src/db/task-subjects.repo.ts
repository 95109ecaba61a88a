import { type RawBuilder, sql } from 'kysely'
import type { Decision } from '../core/matching/decision.ts'
import type { Db } from './connect.ts'
import { planPages } from './plan-page.ts'
import { readCursor } from './read-cursor.ts'
import type { RefreshFailure } from './task-page.repo.ts'

export interface TaskKey {
  readonly runId: number
  readonly task: number
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
  // Records that were judged alike share a decision, which is sent once.
  const numbers = new Map(
    [...new Set(decided.map(({ decision }) => decision))].map((one, no) => [one, no]),
  )
  const rows = decided.map(({ subjectId, askedHash, refreshFailure, decision }) => ({
    subject_id: subjectId,
    no: numbers.get(decision),
    error_code: refreshFailure === null ? null : REFRESH_FAILED,
    error_message: refreshFailure === null ? null : refreshFailureText(refreshFailure),
    match_hash: askedHash,
  }))
  const conclusions = [...numbers].map(([decision, no]) => ({
    no,
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
        subject_id bigint, no integer, match_hash text, error_code text, error_message text)
    ),
    concluded as (
      select * from jsonb_to_recordset(${JSON.stringify(conclusions)}::jsonb) as concluded (
        no integer, outcome text, rule text, reason text, external_id text, score real, margin real,
        runner_up text, evidence jsonb)
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
      from fresh join still on still.id = fresh.subject_id join concluded using (no)
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
  await keepJudged(key).execute(db)
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
export function keepJudged(key: TaskKey): RawBuilder<unknown> {
  return sql`
    update subject s set status = 'COMPLETED', updated_at = now()
    where s.run_id = ${key.runId}::bigint and s.task_number = ${key.task}::integer
      and s.status = 'QUEUED' and s.outcome is not null
      and exists (select 1 from current_judgment j where j.subject_id = s.id)`
}

/**
 * Marks what a run left QUEUED as CANCELLED; decided rows stay, also those that were to be renewed. Page by page: a
 * repetition does what is left.
 */
export async function cancelQueuedSubjects(
  db: Db,
  runId: number,
  { rows } = planPages(),
): Promise<void> {
  const queued = sql<{ id: number }>`
    select id from subject where run_id = ${runId}::bigint and status = 'QUEUED'`
  const cancel = async (page: readonly { readonly id: number }[]): Promise<void> => {
    await sql`
      update subject s
      set status = case when s.outcome is null then 'CANCELLED' else 'COMPLETED' end, updated_at = now()
      where s.id = any(${page.map(({ id }) => id)}::bigint[])
        and s.run_id = ${runId}::bigint and s.status = 'QUEUED'`.execute(db)
  }
  await readCursor(db, queued, cancel, rows)
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

/** Ends a task: its claims on lookups are void from now on, and nothing of it is being decided any more. */
export async function closeTask(db: Db, key: TaskKey, status: 'done' | 'failed'): Promise<void> {
  await db
    .updateTable('task')
    .set({ status, marked_subject_id: null })
    .where('run_id', '=', key.runId)
    .where('number', '=', key.task)
    .where('status', '=', 'open')
    .execute()
}
