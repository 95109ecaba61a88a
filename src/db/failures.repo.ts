import { sql } from 'kysely'
import type { FailedPick } from '../core/run.ts'
import type { Db } from './connect.ts'
import { isJudgedSubject } from './current-judgment.ts'
import { isPickedFailed } from './due-subjects.ts'

/** Failed records of a project that failed with the same code. */
export interface FailureGroup {
  readonly code: string
  readonly count: number
  /** The first of them in file order. */
  readonly example: { readonly entry: string; readonly message: string | null }
}

/** What failed and is not judged, the most frequent code first. @param pick null: all of it */
export async function failureGroups(
  db: Db,
  projectId: number,
  pick: FailedPick | null = null,
): Promise<readonly FailureGroup[]> {
  const { rows } = await sql<FailureGroup>`
    with groups as (
      select coalesce(s.error_code, 'unknown') as code, count(*)::integer as count,
        min(array[e.position, e.id]) as first
      from subject s join entry e on e.id = s.entry_id
      where s.project_id = ${projectId}::bigint and s.status = 'FAILED' and e.absent_since is null
        and ${isPickedFailed(pick)}
        and not ${isJudgedSubject}
      group by 1
    )
    select g.code, g.count,
      json_build_object('entry', e.external_id, 'message', s.error_message) as example
    from groups g join entry e on e.id = g.first[2]
    join subject s on s.entry_id = e.id and s.project_id = ${projectId}::bigint
    order by g.count desc, g.code`.execute(db)
  return rows
}

/** A record that somebody named, as it stands. */
export interface NamedEntry {
  readonly entry: string
  /** Null: the project has not looked at it yet. */
  readonly subjectId: number | null
  /** As `match_status` of the export. */
  readonly status: string
}

/** The present records of a project with these ids; unknown ones are missing. */
export async function namedEntries(
  db: Db,
  project: { readonly id: number; readonly datasetId: number },
  entries: readonly string[],
): Promise<readonly NamedEntry[]> {
  const { rows } = await sql<NamedEntry>`
    select e.external_id as entry, r.subject_id as "subjectId", coalesce(r.match_status, 'new') as status
    from entry e left join result r on r.entry_id = e.id and r.project_id = ${project.id}::bigint
    where e.dataset_id = ${project.datasetId}::bigint and e.external_id = any(${entries}::text[])
      and e.absent_since is null
    order by e.position, e.id`.execute(db)
  return rows
}
