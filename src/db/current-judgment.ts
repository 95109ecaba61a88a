import { type RawBuilder, sql } from 'kysely'

/**
 * Joins what is judged of subject `s` at present as `j`, record by record: joined as a whole, the view would be made of
 * all judgments of all projects. The limit is what keeps the planner from doing so.
 */
export const currentJudgmentOfSubject: RawBuilder<unknown> = sql`
  left join lateral (select c.* from current_judgment c where c.subject_id = s.id limit 1) as j on true`

/** Whether subject `s` is judged at present. Not as "exists", which the planner makes a join of, for the reason above. */
export const isJudgedSubject: RawBuilder<boolean> = sql<boolean>`
  ((select c.subject_id from current_judgment c where c.subject_id = s.id limit 1) is not null)`
