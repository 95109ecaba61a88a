/** Acts of people at a page: what they did at once, and take back at once. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connect.ts'
import { currentJudgmentOfSubject, unjudgedSet } from './current-judgment.ts'
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

/** What a rule takes in at present: how many, and ids of some of them, drawn at random: the same seed draws the same. */
export async function previewAcceptable(
  db: Db,
  projectId: number,
  rule: BulkRule,
  { size, seed }: { readonly size: number; readonly seed: number },
): Promise<{ readonly count: number; readonly examples: readonly string[] }> {
  const { rows } = await sql<{ count: number; examples: readonly string[] }>`
    with acceptable as materialized (${acceptable(projectId, rule)}),
    drawn as (
      select entry_id, hashint8extended(id, ${seed}::bigint) as place from acceptable
      order by 2 limit ${size}::integer
    )
    select (select count(*)::integer from acceptable) as count,
      (select coalesce(json_agg(e.external_id order by drawn.place), '[]')
        from drawn join entry e on e.id = drawn.entry_id) as examples`.execute(db)
  return rows[0] ?? { count: 0, examples: [] }
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
      select s.id from subject s where s.id in (select id from (${acceptable(projectId, rule)}) as found)
      order by s.id for update`.execute(tx)
    // Who had a lock before may have judged: only a statement begun since sees it.
    const { rows: taken } = await sql<{ id: number }>`
      select id from (${acceptable(projectId, rule)}) as found
      where id = any(${locked.map(({ id }) => id)}::bigint[])`.execute(tx)
    if (taken.length !== expected) return { kind: 'other_count', count: taken.length }
    const { id: actId } = await tx
      .insertInto('judgment_act')
      .values({ project_id: projectId, way: 'bulk', rule: JSON.stringify(rule), acted_by: by })
      .returning('id')
      .executeTakeFirstOrThrow()
    await sql`
      insert into judgment (subject_id, verdict, external_id, judged_by, match_hash, note, decision_id, act_id)
      select s.id, 'match', d.external_id, ${by}::text, s.match_hash, ${ruleText(rule)}::text, d.id, ${actId}::bigint
      from subject s join decision d on d.id = s.decision_id
      where s.id = any(${taken.map(({ id }) => id)}::bigint[])`.execute(tx)
    return { kind: 'written', actId }
  })
}

/** `accepted by rule: score ≥ 80, lead ≥ 10, one candidate`. */
function ruleText({ minScore, minMargin, single }: BulkRule): string {
  const parts = [`score ≥ ${minScore}`, `lead ≥ ${minMargin}`, ...(single ? ['one candidate'] : [])]
  return `accepted by rule: ${parts.join(', ')}`
}

/** Ids of subjects and entries. */
function acceptable(
  projectId: number,
  { minScore, minMargin, single }: BulkRule,
): RawBuilder<unknown> {
  const one = single ? sql` and d.candidates_total = 1` : sql``
  const { join, where } = unjudgedSet
  return sql`
    select s.id, s.entry_id
    from subject s
    join entry e on e.id = s.entry_id
    join decision d on d.id = s.decision_id
    ${join}
    where s.project_id = ${projectId}::bigint and e.absent_since is null and ${where} and ${isAcceptable}
      and d.score >= ${minScore}::real and coalesce(d.margin, d.score) >= ${minMargin}::real${one}`
}
