/**
 * Judgments of people at a page. Each says what its person saw; where somebody judged meanwhile, or the record changed,
 * nothing is written and both are shown.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connect.ts'
import { currentJudgmentOfSubject } from './current-judgment.ts'
import { equalSubjects } from './equal-rows.repo.ts'
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
  /** `equal`: of all rows that are equal in their mapped fields. */
  readonly scope: JudgmentScope
}

export const judgmentScopes = ['equal', 'one'] as const
export type JudgmentScope = (typeof judgmentScopes)[number]

export interface SeenState {
  /** SHA-256 over the mapped cells. */
  readonly matchHash: Buffer
  /** The judgment that held; null: none did. */
  readonly judgmentId: number | null
}

export type JudgeOutcome =
  | {
      readonly kind: 'written'
      /** Of the record itself. */
      readonly judgmentId: number
      readonly actId: number
      /** Rows that were judged. */
      readonly rows: number
    }
  /** The same person had said the same: nothing new is written. */
  | { readonly kind: 'unchanged'; readonly judgmentId: number; readonly actId: number | null }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'judged_since'; readonly holding: HoldingJudgment | null }
  | { readonly kind: 'changed_since' }

/** Appends one judgment, and with `equal` one for each row that is equal, as one act. */
export async function judgeEntry(
  db: Db,
  projectId: number,
  judgment: PageJudgment,
): Promise<JudgeOutcome> {
  return db.transaction().execute(async (tx) => {
    const id = await subjectOf(tx, projectId, judgment.externalId)
    const locked = id === undefined ? [] : await lockRows(tx, id, judgment.scope)
    const subject = locked.find((one) => one.id === id)
    if (subject === undefined) return { kind: 'unknown' }
    const holding = await holdingJudgment(tx, subject.id)
    const equal = await stillEqual(tx, subject.id, locked)
    if (
      holding !== undefined &&
      isSame(holding, judgment) &&
      (await isSaidOf(tx, equal, judgment))
    ) {
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
    const ids = [subject.id, ...equal]
    // The record itself first: an act is known by its first one.
    const { rows } = await sql<{ id: number; subjectId: number }>`
      insert into judgment (subject_id, verdict, external_id, judged_by, match_hash, note, decision_id, act_id)
      select s.id, ${judgment.verdict}::text, ${judgment.qid}::text, ${judgment.by}::text, s.match_hash,
        ${judgment.note}::text, s.decision_id, ${actId}::bigint
      from subject s where s.id = any(${ids}::bigint[])
      order by s.id <> ${subject.id}::bigint, s.id
      returning id, subject_id as "subjectId"`.execute(tx)
    const own = rows.find(({ subjectId }) => subjectId === subject.id)
    if (own === undefined) throw new Error('expected a judgment of the record that was locked')
    await sql`delete from review_skip where subject_id = any(${ids}::bigint[])`.execute(tx)
    return { kind: 'written', judgmentId: own.id, actId, rows: rows.length }
  })
}

/**
 * Leaves a record for later, for one person, and with `equal` all that are equal.
 * @returns how many; 0: there is no such record
 */
export async function skipEntry(
  db: Db,
  projectId: number,
  {
    externalId,
    by,
    scope,
  }: { readonly externalId: string; readonly by: string; readonly scope: JudgmentScope },
): Promise<number> {
  const state = await judgedState(db, projectId, externalId)
  if (state === undefined) return 0
  const { numAffectedRows } = await sql`
    insert into review_skip (subject_id, skipped_by)
    select id, ${by}::text from (${idsIn(scope, state.subjectId)}) as skipped order by id
    on conflict (subject_id, skipped_by) do update set skipped_at = now()`.execute(db)
  return Number(numAffectedRows ?? 0)
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

async function subjectOf(
  tx: Db,
  projectId: number,
  externalId: string,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select s.id from subject s join entry e on e.id = s.entry_id
    where s.project_id = ${projectId}::bigint and e.external_id = ${externalId}::text`.execute(tx)
  return rows[0]?.id
}

interface LockedSubject {
  readonly id: number
  readonly matchHash: Buffer
}

/** A subject, and with `equal` those that are equal. */
function idsIn(scope: JudgmentScope, id: number): RawBuilder<unknown> {
  const others =
    scope === 'one' ? sql`` : sql` union all select id from (${equalSubjects(id)}) as equal`
  return sql`select ${id}::bigint as id${others}`
}

/** A record and those that are equal, in the order of their ids: two people may judge two of them at once. */
async function lockRows(
  tx: Db,
  id: number,
  scope: JudgmentScope,
): Promise<readonly LockedSubject[]> {
  const { rows } = await sql<LockedSubject>`
    select s.id, s.match_hash as "matchHash" from subject s
    where s.id in (${idsIn(scope, id)})
    order by s.id for update`.execute(tx)
  return rows
}

/** Who had a lock before may have judged: only a statement begun since sees it. */
async function stillEqual(
  tx: Db,
  id: number,
  locked: readonly LockedSubject[],
): Promise<readonly number[]> {
  if (locked.length === 1) return []
  const { rows } = await sql<{ id: number }>`
    select id from (${equalSubjects(id)}) as equal
    where id = any(${locked.map((one) => one.id)}::bigint[])`.execute(tx)
  return rows.map((row) => row.id)
}

/** Whether the same holds of each of these rows already. */
async function isSaidOf(
  tx: Db,
  ids: readonly number[],
  { verdict, qid, by, note }: PageJudgment,
): Promise<boolean> {
  if (ids.length === 0) return true
  const { rows } = await sql`
    select from unnest(${ids}::bigint[]) as s (id) ${currentJudgmentOfSubject}
    where (j.verdict, j.external_id, j.judged_by, j.note)
      is distinct from (${verdict}::text, ${qid}::text, ${by}::text, ${note}::text)
    limit 1`.execute(tx)
  return rows.length === 0
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
