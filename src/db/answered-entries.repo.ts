import { sql } from 'kysely'
import type { CandidateList } from '../core/matching/candidate.ts'
import type { Cells } from '../core/matching/mapped-record.ts'
import type { Db } from './connect.ts'
import { readCursor } from './read-cursor.ts'

/** An entry of a project with the answers to its names. */
export interface AnsweredEntry {
  readonly externalId: string
  readonly cells: Cells
  /** In the order of its names; those not asked yet are left out. */
  readonly lists: readonly CandidateList[]
}

/** In file order; entries without an answer are left out. */
export async function readAnsweredEntries(
  db: Db,
  projectId: number,
  onPage: (page: readonly AnsweredEntry[]) => Promise<void>,
): Promise<void> {
  await readCursor(
    db,
    sql<AnsweredEntry>`
      select e.external_id as "externalId", e.source as cells, answers.lists
      from subject s
      join entry e on e.id = s.entry_id
      cross join lateral (
        select jsonb_agg(l.answer order by sl.position) as lists
        from subject_lookup sl join lookup l on l.id = sl.lookup_id
        where sl.subject_id = s.id and l.answer is not null) answers
      where s.project_id = ${projectId}::bigint and e.absent_since is null and answers.lists is not null
      order by e.position, e.id`,
    onPage,
  )
}
