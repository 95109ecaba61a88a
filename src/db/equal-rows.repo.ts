/**
 * Rows that are equal in all mapped fields: what is true of one is true of each, so they are judged together. They share a
 * `match_hash`, and were decided alike.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connect.ts'
import { currentJudgmentOfSubject } from './current-judgment.ts'

export interface EqualRows {
  /** Others that would be judged with the record. */
  readonly count: number
  /** Ids of the first of them in file order. */
  readonly entries: readonly string[]
}

/** @param most ids that are told */
export async function equalRows(db: Db, subjectId: number, most: number): Promise<EqualRows> {
  const { rows } = await sql<EqualRows>`
    with equal as materialized (${equalSubjects(subjectId)})
    select (select count(*)::integer from equal) as count,
      (select coalesce(json_agg(first.external_id order by first.position, first.id), '[]') from (
        select e.external_id, e.position, e.id from equal join entry e on e.id = equal.entry_id
        order by e.position, e.id limit ${most}::integer) as first) as entries`.execute(db)
  return rows[0] ?? { count: 0, entries: [] }
}

/**
 * Other present records with the same fields and result that nobody has judged, or that were judged by the same act as the
 * record: what was said of both together is mended for both together.
 */
export function equalSubjects(subjectId: number): RawBuilder<{ id: number; entry_id: number }> {
  return sql`
    select s.id, s.entry_id
    from (
      select own.id, own.project_id, own.match_hash, own.outcome,
        (select c.act_id from judgment c where c.id = (
          select h.id from current_judgment h where h.subject_id = own.id limit 1)) as act_id
      from subject own where own.id = ${subjectId}::bigint
    ) as own
    join subject s on s.project_id = own.project_id and s.match_hash = own.match_hash
      and s.outcome = own.outcome and s.outcome is not null and s.id <> own.id
    join entry e on e.id = s.entry_id and e.absent_since is null
    ${currentJudgmentOfSubject}
    where j.id is null
      or (select told.act_id from judgment told where told.id = j.id) = own.act_id`
}
