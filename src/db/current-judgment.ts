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

/**
 * Subjects `s` in two sets, so that what is judged at present is looked for only where something was ever said: mostly
 * nearly all of a project was not. Each set has its own join of `j` and its own condition.
 */
export const judgmentSets: readonly JudgmentSet[] = [
  {
    isJudged: false,
    join: sql`
      cross join (select null::bigint as id, null::text as verdict, null::bytea as match_hash,
        null::timestamptz as judged_at) as j`,
    where: sql`not exists (select from judgment told where told.subject_id = s.id)`,
    whereUnjudged: sql`not exists (select from judgment told where told.subject_id = s.id)`,
  },
  {
    isJudged: true,
    join: currentJudgmentOfSubject,
    where: sql`exists (select from judgment told where told.subject_id = s.id)`,
    whereUnjudged: sql`exists (
      select from judgment told where told.subject_id = s.id and told.verdict = 'undo')`,
  },
]

export interface JudgmentSet {
  /** Something was said of its subjects once. */
  readonly isJudged: boolean
  readonly join: RawBuilder<unknown>
  readonly where: RawBuilder<unknown>
  /** The same where only subjects are wanted that are not judged at present: what was said of them was taken back. */
  readonly whereUnjudged: RawBuilder<unknown>
}
