import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connect.ts'

/** So many judgments are looked at in less time than a walk through a large project in search of them takes. */
const FEW = 10_000

/** Whether there are so few judgments, in all projects, that those of a page are sorted out of all. */
export async function areJudgmentsFew(db: Db): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (select from judgment limit ${FEW}::integer) as counted`.execute(
    db,
  )
  return (rows[0]?.count ?? 0) < FEW
}

/**
 * Joins what is judged of subject `s` at present as `j`, record by record: joined as a whole, the view would be made of
 * all judgments of all projects. The limit is what keeps the planner from doing so.
 */
export const currentJudgmentOfSubject: RawBuilder<unknown> = sql`
  left join lateral (select c.* from current_judgment c where c.subject_id = s.id limit 1) as j on true`

/** Whether subject `s` is judged at present. Not as "exists", which the planner makes a join of, for the reason above. */
export const isJudgedSubject: RawBuilder<boolean> = sql<boolean>`
  ((select c.subject_id from current_judgment c where c.subject_id = s.id limit 1) is not null)`

/** No judgment as `j`, for subjects of which none is looked for. */
const noJudgment: RawBuilder<unknown> = sql`
  cross join (select null::bigint as id, null::text as verdict, null::bytea as match_hash,
    null::timestamptz as judged_at) as j`

/** A join of `j` for subjects `s` of which a condition holds. */
export interface JudgmentSet {
  /** Something was said of its subjects once. */
  readonly isJudged: boolean
  readonly join: RawBuilder<unknown>
  readonly where: RawBuilder<unknown>
}

/** All that is not judged at present. */
export const unjudgedSet: JudgmentSet = {
  isJudged: false,
  join: noJudgment,
  where: sql`not exists (
    select from judgment told where told.subject_id = s.id and told.verdict <> 'undo'
      and (select u.id from judgment u where u.undoes = told.id limit 1) is null)`,
}

/**
 * Something was said of subject `s` once.
 * @param areFew judgments: their subjects are looked up one by one, instead of walking through all of a project
 */
export function wasJudged(areFew: boolean): RawBuilder<boolean> {
  return areFew
    ? sql<boolean>`s.id = any(array(select distinct told.subject_id from judgment told))`
    : sql<boolean>`exists (select from judgment told where told.subject_id = s.id)`
}

/**
 * All subjects in two sets, so that what is judged at present is looked for only where something was ever said: mostly nearly
 * all of a project was not.
 */
export function judgmentSets(areFew: boolean): readonly JudgmentSet[] {
  return [
    {
      isJudged: false,
      join: noJudgment,
      where: sql`not exists (select from judgment told where told.subject_id = s.id)`,
    },
    {
      isJudged: true,
      join: currentJudgmentOfSubject,
      where: wasJudged(areFew),
    },
  ]
}
