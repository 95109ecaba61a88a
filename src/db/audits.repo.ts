/** Random draws of automatic matches that people check. */
import { sql } from 'kysely'
import type { Db } from './connect.ts'
import { currentJudgmentOfSubject } from './current-judgment.ts'

export interface Audit {
  readonly id: number
  readonly by: string
  readonly at: Date
  readonly drawn: number
  /** Judged since it was drawn. */
  readonly judged: number
  /** The person named the item that was matched. */
  readonly right: number
}

/**
 * Draws unjudged automatic matches at random.
 * @returns undefined: there is nothing to draw from
 */
export async function drawAudit(
  db: Db,
  projectId: number,
  { size, seed, by }: { readonly size: number; readonly seed: number; readonly by: string },
): Promise<number | undefined> {
  return db.transaction().execute(async (tx) => {
    const { id } = await tx
      .insertInto('audit')
      .values({ project_id: projectId, seed, drawn_by: by })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { numAffectedRows } = await sql`
      insert into audit_record (audit_id, position, subject_id, external_id)
      select ${id}::bigint, row_number() over (), drawn.id, drawn.external_id from (
        select s.id, d.external_id
        from subject s
        join entry e on e.id = s.entry_id
        join decision d on d.id = s.decision_id
        ${currentJudgmentOfSubject}
        where s.project_id = ${projectId}::bigint and e.absent_since is null and j.id is null
          and s.status = 'COMPLETED' and s.outcome = 'matched' and d.external_id is not null
        order by hashint8extended(s.id, ${seed}::bigint) limit ${size}::integer
      ) as drawn`.execute(tx)
    if (Number(numAffectedRows ?? 0) > 0) return id
    await tx.deleteFrom('audit').where('id', '=', id).execute()
    return undefined
  })
}

/** The latest first. @param auditId null: all of the project */
export async function listAudits(
  db: Db,
  projectId: number,
  auditId: number | null = null,
): Promise<readonly Audit[]> {
  const { rows } = await sql<Audit>`
    select u.id, u.drawn_by as by, u.drawn_at as at, count(*)::integer as drawn,
      count(*) filter (where j.judged_at > u.drawn_at)::integer as judged,
      count(*) filter (where j.judged_at > u.drawn_at and j.verdict = 'match'
        and j.external_id = a.external_id)::integer as right
    from audit u
    join audit_record a on a.audit_id = u.id
    join subject s on s.id = a.subject_id
    ${currentJudgmentOfSubject}
    where u.project_id = ${projectId}::bigint and (${auditId}::bigint is null or u.id = ${auditId}::bigint)
    group by u.id order by u.id desc`.execute(db)
  return rows
}
