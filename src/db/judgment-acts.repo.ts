/** Acts of people at a page: what they did at once, and take back at once. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connect.ts'
import { currentJudgmentOfSubject } from './current-judgment.ts'
import { isAcceptable } from './entry-filter.ts'
import type { ActWay, BulkRule } from './tables/judgment-act.table.ts'
import type { Verdict } from './tables/judgment.table.ts'

/** An act, the latest first in lists. */
export interface JudgmentAct {
  readonly id: number
  readonly way: ActWay
  readonly rule: BulkRule | null
  readonly by: string
  readonly at: Date
  readonly judgments: number
  /** The first record of it. */
  readonly externalId: string | null
  readonly verdict: Verdict | 'undo' | null
  readonly qid: string | null
  readonly undone: boolean
}

export async function listActs(
  db: Db,
  projectId: number,
  { by, limit }: { readonly by: string | null; readonly limit: number },
): Promise<readonly JudgmentAct[]> {
  const { rows } = await sql<JudgmentAct>`
    select a.id, a.way, a.rule, a.acted_by as by, a.acted_at as at, of_act.judgments,
      first.external_id as "externalId", first.verdict, first.qid,
      exists (select from judgment_act u where u.undoes = a.id) as undone
    from (
      select * from judgment_act
      where project_id = ${projectId}::bigint and (${by}::text is null or acted_by = ${by}::text)
      order by id desc limit ${limit}::integer
    ) as a
    cross join lateral (
      select count(*)::integer as judgments, min(id) as first from judgment where act_id = a.id
    ) as of_act
    left join lateral (
      select e.external_id, j.verdict, j.external_id as qid
      from judgment j join subject s on s.id = j.subject_id join entry e on e.id = s.entry_id
      where j.id = of_act.first
    ) as first on true
    order by a.id desc`.execute(db)
  return rows
}

export type UndoOutcome =
  | {
      readonly kind: 'undone'
      readonly actId: number
      readonly judgments: number
      readonly left: number
    }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'undone_before' }
  /** Somebody has judged over all of it since. */
  | { readonly kind: 'judged_since' }

/** Takes back what of an act still holds; what was judged over since stays. */
export async function undoAct(
  db: Db,
  projectId: number,
  { actId, by }: { readonly actId: number; readonly by: string },
): Promise<UndoOutcome> {
  return db.transaction().execute(async (tx) => {
    const act = await tx
      .selectFrom('judgment_act')
      .where('id', '=', actId)
      .where('project_id', '=', projectId)
      .where('way', '<>', 'undo')
      .select('id')
      .forUpdate()
      .executeTakeFirst()
    if (act === undefined) return { kind: 'unknown' }
    const before = await tx
      .selectFrom('judgment_act')
      .where('undoes', '=', actId)
      .select('id')
      .executeTakeFirst()
    if (before !== undefined) return { kind: 'undone_before' }
    const { id: undoId } = await tx
      .insertInto('judgment_act')
      .values({ project_id: projectId, way: 'undo', acted_by: by, undoes: actId })
      .returning('id')
      .executeTakeFirstOrThrow()
    await sql`
      select s.id from subject s where s.id in (select subject_id from judgment where act_id = ${actId}::bigint)
      order by s.id for update`.execute(tx)
    const { numAffectedRows } = await sql`
      insert into judgment (subject_id, verdict, judged_by, match_hash, undoes, decision_id, act_id)
      select s.id, 'undo', ${by}::text, s.match_hash, j.id, s.decision_id, ${undoId}::bigint
      from judgment told
      join subject s on s.id = told.subject_id
      ${currentJudgmentOfSubject}
      where told.act_id = ${actId}::bigint and j.id = told.id`.execute(tx)
    const judgments = Number(numAffectedRows ?? 0)
    if (judgments === 0) {
      await tx.deleteFrom('judgment_act').where('id', '=', undoId).execute()
      return { kind: 'judged_since' }
    }
    const { told } = await tx
      .selectFrom('judgment')
      .where('act_id', '=', actId)
      .select((eb) => eb.fn.countAll<number>().as('told'))
      .executeTakeFirstOrThrow()
    return { kind: 'undone', actId: undoId, judgments, left: told - judgments }
  })
}

/** What a rule takes in at present. */
export async function countAcceptable(db: Db, projectId: number, rule: BulkRule): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count ${acceptable(projectId, rule)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Ids of records that a rule takes in, drawn at random: the same seed draws the same. */
export async function drawAcceptable(
  db: Db,
  projectId: number,
  rule: BulkRule,
  { size, seed }: { readonly size: number; readonly seed: number },
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select e.external_id as id ${acceptable(projectId, rule)}
    order by hashint8extended(s.id, ${seed}::bigint) limit ${size}::integer`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Accepts the best candidate of everything that a rule takes in, as one act.
 * @param expected so many were shown; with another number nothing is written
 */
export async function acceptByRule(
  db: Db,
  projectId: number,
  {
    rule,
    by,
    expected,
  }: { readonly rule: BulkRule; readonly by: string; readonly expected: number },
): Promise<
  | { readonly kind: 'written'; readonly actId: number }
  | { readonly kind: 'other_count'; readonly count: number }
> {
  return db.transaction().execute(async (tx) => {
    const { rows: locked } = await sql<{ id: number }>`
      select s.id ${acceptable(projectId, rule)} order by s.id for update of s`.execute(tx)
    if (locked.length !== expected) return { kind: 'other_count', count: locked.length }
    const { id: actId } = await tx
      .insertInto('judgment_act')
      .values({ project_id: projectId, way: 'bulk', rule: JSON.stringify(rule), acted_by: by })
      .returning('id')
      .executeTakeFirstOrThrow()
    await sql`
      insert into judgment (subject_id, verdict, external_id, judged_by, match_hash, note, decision_id, act_id)
      select s.id, 'match', d.external_id, ${by}::text, s.match_hash, ${ruleText(rule)}::text, d.id, ${actId}::bigint
      from subject s join decision d on d.id = s.decision_id
      where s.id = any(${locked.map(({ id }) => id)}::bigint[])`.execute(tx)
    return { kind: 'written', actId }
  })
}

/** `accepted by rule: score ≥ 80, lead ≥ 10, one candidate`. */
function ruleText({ minScore, minMargin, single }: BulkRule): string {
  const parts = [`score ≥ ${minScore}`, `lead ≥ ${minMargin}`, ...(single ? ['one candidate'] : [])]
  return `accepted by rule: ${parts.join(', ')}`
}

function acceptable(
  projectId: number,
  { minScore, minMargin, single }: BulkRule,
): RawBuilder<unknown> {
  const one = single ? sql` and (d.evidence ->> 'candidatesTotal')::integer = 1` : sql``
  return sql`
    from subject s
    join entry e on e.id = s.entry_id
    join decision d on d.id = s.decision_id
    ${currentJudgmentOfSubject}
    where s.project_id = ${projectId}::bigint and e.absent_since is null and ${isAcceptable}
      and d.score >= ${minScore}::real and coalesce(d.margin, d.score) >= ${minMargin}::real${one}`
}
