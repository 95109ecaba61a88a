import { sql } from 'kysely'
import { defaultRunOptions } from '../core/run.ts'
import type { Db } from './connect.ts'
import { type DueQuestion, subjectsWithDue } from './due-subjects.ts'
import type { Project } from './projects.repo.ts'

/**
 * How many records the next start would decide: the sum of what `countDue` says, of which only those are looked at that can
 * be due at all. A record that is decided on its cells and settings of now is not, unless an answer to it was renewed.
 */
export async function countDueTotal(
  db: Db,
  { id, revision, after }: Pick<Project, 'id' | 'revision' | 'after'>,
): Promise<number> {
  const question: DueQuestion = {
    projectId: id,
    revision,
    runId: null,
    options: defaultRunOptions,
    isChained: after !== null,
  }
  const { rows } = await sql<{ count: number }>`
    with never_seen as materialized (
      select e.id from project p join entry e on e.dataset_id = p.dataset_id
      where p.id = ${id}::bigint
        -- Each record of a project is one of its dataset: with as many of both, none is left to look for.
        and (select count(*) from project o join entry on entry.dataset_id = o.dataset_id where o.id = ${id}::bigint)
          > (select count(*) from subject where project_id = ${id}::bigint)
        and not exists (select from subject s where s.project_id = ${id}::bigint and s.entry_id = e.id)
    ),
    unsettled as materialized (
      select entry_id as id from subject
      where project_id = ${id}::bigint and status in ('NEW', 'QUEUED', 'CANCELLED')
      union
      select entry_id from subject
      where project_id = ${id}::bigint and status = 'COMPLETED' and decided_revision < ${revision}::integer
      union
      select entry_id from subject
      where project_id = ${id}::bigint and status = 'COMPLETED' and decided_hash <> match_hash
      union
      select s.entry_id from lookup l
      join subject_lookup sl on sl.lookup_id = l.id
      join subject s on s.id = sl.subject_id and s.project_id = ${id}::bigint
      where l.refreshed_at is not null
    )
    select count(*)::integer as count
    from (${subjectsWithDue(question)}) as subjects
    where due is not null
      and entry_id in (select id from never_seen union all select id from unsettled)`.execute(db)
  return rows[0]?.count ?? 0
}
