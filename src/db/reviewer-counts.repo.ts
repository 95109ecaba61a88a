import { sql } from 'kysely'
import type { Db } from './connect.ts'
import type { ActWay } from './tables/judgment-act.table.ts'

/** What one person has done in a project. */
export interface ReviewerCounts {
  /** Acts of the last 24 hours that were not undone. */
  readonly today: number
  readonly skipped: number
}

export async function reviewerCounts(
  db: Db,
  projectId: number,
  by: string,
): Promise<ReviewerCounts> {
  const { rows } = await sql<ReviewerCounts>`
    select
      (select count(*)::integer from judgment_act a
        where a.project_id = ${projectId}::bigint and a.acted_by = ${by}::text and a.way <> 'undo'
          and a.acted_at > now() - interval '24 hours'
          and not exists (select from judgment_act u where u.undoes = a.id)) as today,
      (select count(*)::integer from review_skip k join subject s on s.id = k.subject_id
        where s.project_id = ${projectId}::bigint and k.skipped_by = ${by}::text) as skipped`.execute(
    db,
  )
  return rows[0] ?? { today: 0, skipped: 0 }
}

/** The last act of a person that can still be undone, with its first record. */
export async function lastAct(
  db: Db,
  projectId: number,
  by: string,
): Promise<{ readonly actId: number; readonly externalId: string } | undefined> {
  const { rows } = await sql<{ actId: number; externalId: string }>`
    select a.id as "actId", e.external_id as "externalId"
    from judgment_act a
    join lateral (select min(id) as id from judgment where act_id = a.id) as first on true
    join judgment j on j.id = first.id
    join subject s on s.id = j.subject_id
    join entry e on e.id = s.entry_id
    where a.project_id = ${projectId}::bigint and a.acted_by = ${by}::text and a.way <> 'undo'
      and not exists (select from judgment_act u where u.undoes = a.id)
    order by a.id desc limit 1`.execute(db)
  return rows[0]
}

/** The first record of an act: the one that was looked at, where equal ones were judged with it. */
export async function firstRecordOf(
  db: Db,
  actId: number,
): Promise<{ readonly externalId: string; readonly way: ActWay } | undefined> {
  const { rows } = await sql<{ externalId: string; way: ActWay }>`
    select e.external_id as "externalId", a.way
    from judgment_act a join judgment j on j.act_id = a.id
    join subject s on s.id = j.subject_id join entry e on e.id = s.entry_id
    where a.id = ${actId}::bigint order by j.id limit 1`.execute(db)
  return rows[0]
}
