/**
 * Judgments of people at a page. Each says what its person saw; where somebody judged meanwhile, or the record changed,
 * nothing is written and both are shown.
 */
import { sql } from 'kysely'
import type { Db } from './connect.ts'
import { currentJudgmentOfSubject } from './current-judgment.ts'
import type { Verdict } from './tables/judgment.table.ts'
import type { ActWay } from './tables/judgment-act.table.ts'

/** A judgment that holds. */
export interface HoldingJudgment {
  readonly id: number
  readonly verdict: Verdict
  readonly qid: string | null
  readonly by: string
  readonly at: Date
  readonly note: string | null
}

export interface PageJudgment {
  readonly externalId: string
  readonly verdict: Verdict
  /** Only with `match`. */
  readonly qid: string | null
  readonly note: string | null
  readonly by: string
  readonly way: Exclude<ActWay, 'bulk' | 'undo'>
  /** What its person saw; absent: whatever there is. */
  readonly seen?: SeenState | undefined
}

export interface SeenState {
  /** SHA-256 over the mapped cells. */
  readonly matchHash: Buffer
  /** The judgment that held; null: none did. */
  readonly judgmentId: number | null
}

export type JudgeOutcome =
  | { readonly kind: 'written'; readonly judgmentId: number; readonly actId: number }
  /** The same person had said the same: nothing new is written. */
  | { readonly kind: 'unchanged'; readonly judgmentId: number; readonly actId: number | null }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'judged_since'; readonly holding: HoldingJudgment | null }
  | { readonly kind: 'changed_since' }

/** Appends one judgment. */
export async function judgeEntry(
  db: Db,
  projectId: number,
  judgment: PageJudgment,
): Promise<JudgeOutcome> {
  return db.transaction().execute(async (tx) => {
    const subject = await lockSubject(tx, projectId, judgment.externalId)
    if (subject === undefined) return { kind: 'unknown' }
    const holding = await holdingJudgment(tx, subject.id)
    if (holding !== undefined && isSame(holding, judgment)) {
      const { id: judgmentId, actId } = holding
      return { kind: 'unchanged', judgmentId, actId }
    }
    const { seen } = judgment
    if (seen !== undefined) {
      if (!seen.matchHash.equals(subject.matchHash)) return { kind: 'changed_since' }
      if ((holding?.id ?? null) !== seen.judgmentId) {
        return { kind: 'judged_since', holding: holding ?? null }
      }
    }
    const { id: actId } = await tx
      .insertInto('judgment_act')
      .values({ project_id: projectId, way: judgment.way, acted_by: judgment.by })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: judgmentId } = await tx
      .insertInto('judgment')
      .values({
        subject_id: subject.id,
        verdict: judgment.verdict,
        external_id: judgment.qid,
        judged_by: judgment.by,
        match_hash: subject.matchHash,
        note: judgment.note,
        undoes: null,
        decision_id: subject.decisionId,
        act_id: actId,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx.deleteFrom('review_skip').where('subject_id', '=', subject.id).execute()
    return { kind: 'written', judgmentId, actId }
  })
}

/**
 * Leaves a record for later, for one person.
 * @returns false: there is no such record
 */
export async function skipEntry(
  db: Db,
  projectId: number,
  { externalId, by }: { readonly externalId: string; readonly by: string },
): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    insert into review_skip (subject_id, skipped_by)
    select s.id, ${by}::text from subject s join entry e on e.id = s.entry_id
    where s.project_id = ${projectId}::bigint and e.external_id = ${externalId}::text
    on conflict (subject_id, skipped_by) do update set skipped_at = now()
    returning subject_id as id`.execute(db)
  return rows.length > 0
}

/** Puts back what a person left for later. @returns how many records */
export async function unskipEntries(
  db: Db,
  projectId: number,
  by: string,
  externalId: string | null = null,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from review_skip k using subject s join entry e on e.id = s.entry_id
    where k.subject_id = s.id and s.project_id = ${projectId}::bigint and k.skipped_by = ${by}::text
      and (${externalId}::text is null or e.external_id = ${externalId}::text)`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** What a page has to know of a record to judge it. */
export interface JudgedState {
  readonly subjectId: number
  readonly matchHash: Buffer
  readonly holding: HoldingJudgment | null
}

export async function judgedState(
  db: Db,
  projectId: number,
  externalId: string,
): Promise<JudgedState | undefined> {
  const { rows } = await sql<{ id: number; matchHash: Buffer }>`
    select s.id, s.match_hash as "matchHash" from subject s join entry e on e.id = s.entry_id
    where s.project_id = ${projectId}::bigint and e.external_id = ${externalId}::text`.execute(db)
  const [subject] = rows
  if (subject === undefined) return undefined
  const holding = await holdingJudgment(db, subject.id)
  return { subjectId: subject.id, matchHash: subject.matchHash, holding: holding ?? null }
}

async function lockSubject(
  tx: Db,
  projectId: number,
  externalId: string,
): Promise<{ id: number; matchHash: Buffer; decisionId: number | null } | undefined> {
  const { rows } = await sql<{ id: number; matchHash: Buffer; decisionId: number | null }>`
    select s.id, s.match_hash as "matchHash", s.decision_id as "decisionId"
    from subject s join entry e on e.id = s.entry_id
    where s.project_id = ${projectId}::bigint and e.external_id = ${externalId}::text
    for update of s`.execute(tx)
  return rows[0]
}

async function holdingJudgment(
  tx: Db,
  subjectId: number,
): Promise<(HoldingJudgment & { actId: number | null }) | undefined> {
  const { rows } = await sql<HoldingJudgment & { actId: number | null }>`
    select j.id, j.verdict, j.external_id as qid, j.judged_by as by, j.judged_at as at, j.note,
      (select act_id from judgment where id = j.id) as "actId"
    from (select ${subjectId}::bigint as id) as s ${currentJudgmentOfSubject}
    where j.id is not null`.execute(tx)
  return rows[0]
}

function isSame(holding: HoldingJudgment, said: PageJudgment): boolean {
  return (
    holding.verdict === said.verdict &&
    holding.qid === said.qid &&
    holding.by === said.by &&
    holding.note === said.note
  )
}
