/**
 * Stores what was judged of a page of records in one statement, so that it is there as a whole or not at all, and costs
 * one way to the database and one wait for its disk. Guarded: a record that is no longer QUEUED by this run (cancelled,
 * deleted, taken over) is left as it is, and no decision is written for it.
 */
import { sql } from 'kysely'
import type { Decision } from '../core/matching/decision.ts'
import type { Db } from './connect.ts'
import { rememberingItems, type SeenItem } from './items.repo.ts'
import { prepared } from './prepared.ts'
import type { RefreshFailure } from './task-page.repo.ts'
import { REFRESH_FAILED, type TaskKey } from './task-subjects.repo.ts'

export interface DecidedSubject {
  readonly subjectId: number
  readonly askedHash: string
  readonly refreshFailure: RefreshFailure | null
  readonly decision: Decision
}

export interface SubjectFailure {
  readonly subjectId: number
  readonly code: string
  readonly message: string
}

export interface DecisionContext {
  readonly runId: number
  readonly service: string
  readonly settingsRevision: number
  readonly weightsVersion: string
}

export interface DecidedPage {
  readonly decided: readonly DecidedSubject[]
  /** Become FAILED, each with its code and message. */
  readonly failed: readonly SubjectFailure[]
  /** The items that decisions name. */
  readonly items: readonly SeenItem[]
}

/** @param task Of whom the page is: no record of it is being decided any more; `isDone` closes it as well. */
export async function storeDecidedPage(
  db: Db,
  context: DecisionContext,
  { decided, failed, items }: DecidedPage,
  task: { readonly number: TaskKey['task']; readonly isDone: boolean } | null,
): Promise<void> {
  const { runId, service, settingsRevision, weightsVersion } = context
  const { fresh, concluded } = asRows(decided)
  // Its parts would be done in any order: the counts make items come first, then records, then the task, as everywhere.
  await sql`${prepared}
    with fresh as (
      select * from jsonb_to_recordset(${JSON.stringify(fresh)}::jsonb) as fresh (
        subject_id bigint, no integer, match_hash text, error_code text, error_message text)
    ),
    concluded as (
      select * from jsonb_to_recordset(${JSON.stringify(concluded)}::jsonb) as concluded (
        no integer, outcome text, rule text, reason text, external_id text, score real, margin real,
        runner_up text, evidence jsonb)
    ),
    remembered as (${rememberingItems(service, items)}),
    still as (
      -- By their ids: right after a plan nothing is known of how many are queued, and a join would compare each with all.
      select s.id from subject s where s.id = any(${fresh.map((row) => row.subject_id)}::bigint[])
        and s.status = 'QUEUED' and s.run_id = ${runId}::bigint and (select count(*) from remembered) >= 0
      for update of s
    ),
    inserted as (
      insert into decision (subject_id, run_id, settings_revision, weights_version, match_hash, outcome,
        rule, reason, service, external_id, score, margin, runner_up, evidence)
      select subject_id, ${runId}::bigint, ${settingsRevision}::integer,
        ${weightsVersion}::text, decode(match_hash, 'hex'), outcome,
        rule, reason, ${service}::text, external_id, score, margin, runner_up, evidence
      from fresh join still on still.id = fresh.subject_id join concluded using (no)
      returning id, subject_id, outcome, match_hash
    ),
    failing as (
      update subject s
      set status = 'FAILED', outcome = null, error_code = f.code, error_message = f.message, updated_at = now()
      from unnest(
        ${failed.map((one) => one.subjectId)}::bigint[],
        ${failed.map((one) => one.code)}::text[],
        ${failed.map((one) => one.message)}::text[]
      ) as f (subject_id, code, message)
      where s.id = f.subject_id and s.id = any(${failed.map((one) => one.subjectId)}::bigint[])
        and s.status = 'QUEUED' and s.run_id = ${runId}::bigint and (select count(*) from remembered) >= 0
      returning s.id
    ),
    of_task as (
      update task set marked_subject_id = null,
        status = case when ${task?.isDone ?? false}::boolean and status = 'open' then 'done' else status end
      where run_id = ${runId}::bigint and number = ${task?.number ?? null}::integer
        and (select count(*) from failing) >= 0
    )
    update subject s
    set status = 'COMPLETED', outcome = inserted.outcome, decision_id = inserted.id,
      decided_hash = inserted.match_hash, decided_revision = ${settingsRevision}::integer,
      error_code = fresh.error_code, error_message = fresh.error_message, updated_at = now()
    from inserted join fresh on fresh.subject_id = inserted.subject_id
    where inserted.subject_id = s.id`.execute(db)
}

/** Records that were judged alike share a decision, which is sent once. */
function asRows(decided: readonly DecidedSubject[]) {
  const numbers = new Map(
    [...new Set(decided.map(({ decision }) => decision))].map((one, no) => [one, no]),
  )
  const fresh = decided.map(({ subjectId, askedHash, refreshFailure, decision }) => ({
    subject_id: subjectId,
    no: numbers.get(decision),
    error_code: refreshFailure === null ? null : REFRESH_FAILED,
    error_message: refreshFailure === null ? null : refreshFailureText(refreshFailure),
    match_hash: askedHash,
  }))
  const concluded = [...numbers].map(([decision, no]) => ({
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
  return { fresh, concluded }
}

function refreshFailureText({ code, message, answeredOn }: RefreshFailure): string {
  return `The answer of ${answeredOn} stays in use, for it could not be renewed (${code}): ${message}`
}
