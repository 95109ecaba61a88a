import { sql } from 'kysely'
import type { CandidateList } from '../core/matching/candidate.ts'
import type { AnsweredRecord } from '../core/matching/judge-subject.ts'
import type { Cells } from '../core/matching/mapped-record.ts'
import type { ProjectSettings } from '../core/project-settings.ts'
import type { Db } from './connect.ts'
import { dressAnswers } from './dressed-answers.ts'
import { readCursor } from './read-cursor.ts'
import { answersOf } from './subject-answers.ts'

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
  project: { readonly id: number; readonly settings: ProjectSettings },
  onPage: (page: readonly AnsweredEntry[]) => Promise<void>,
): Promise<void> {
  await readCursor(
    db,
    sql<AnsweredRecord & { readonly externalId: string }>`
      select e.external_id as "externalId", e.source as cells, ${answersOf('s')} as answers
      from subject s
      join entry e on e.id = s.entry_id
      where s.project_id = ${project.id}::bigint and e.absent_since is null
      order by e.position, e.id`,
    async (page, tx) => {
      const entries = await dressAnswers(tx, project.settings, page)
      const answered = entries.map(({ externalId, cells, answers }) => ({
        externalId,
        cells,
        lists: answers.flatMap(({ list }) => list ?? []),
      }))
      await onPage(answered.filter(({ lists }) => lists.length > 0))
    },
  )
}
