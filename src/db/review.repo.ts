import { sql } from 'kysely'
import type { ScoredCandidate } from '../core/matching/decision.ts'
import type { Db } from './connect.ts'
import { readCursor } from './read-cursor.ts'
import { type EntryResult, type ResultQuestion, resultsQuery } from './results.repo.ts'

/** A record with what a person needs to judge it. */
export interface ReviewResult extends EntryResult {
  /** null: no run and no judgment has seen the record yet. */
  readonly subjectId: number | null
  /** SHA-256 over its mapped cells as they are now. */
  readonly matchHash: Buffer | null
  /** The best three, best first; none where the record changed since they were found. */
  readonly candidates: readonly ScoredCandidate[]
}

/** As `readResults`, with the candidates. */
export async function readReview(
  db: Db,
  question: ResultQuestion,
  onPage: (page: readonly ReviewResult[]) => Promise<void>,
): Promise<void> {
  const query = resultsQuery<ReviewResult>(
    question,
    sql`, s.id as "subjectId", s.match_hash as "matchHash",
      coalesce(jsonb_path_query_array(d.evidence, '$.candidates[0 to 2]'), '[]') as candidates`,
    sql`left join subject s on s.id = r.subject_id
      left join decision d on d.id = s.decision_id and d.match_hash = s.match_hash`,
  )
  await readCursor(db, query, onPage)
}

/** A record as it is when a reviewed file comes back. */
export interface ReviewedSubject {
  readonly subjectId: number
  readonly externalId: string
  readonly matchHash: Buffer
  /** Ids of the candidates a review file would show now. */
  readonly candidateIds: readonly string[]
}

/** Records of this project only; ids of other projects are left out. */
export async function reviewedSubjects(
  db: Db,
  projectId: number,
  subjectIds: readonly number[],
): Promise<readonly ReviewedSubject[]> {
  const { rows } = await sql<ReviewedSubject>`
    select s.id as "subjectId", e.external_id as "externalId", s.match_hash as "matchHash",
      coalesce(jsonb_path_query_array(d.evidence, '$.candidates[0 to 2].id'), '[]') as "candidateIds"
    from subject s
    join entry e on e.id = s.entry_id
    left join decision d on d.id = s.decision_id and d.match_hash = s.match_hash
    where s.project_id = ${projectId}::bigint and s.id = any(${subjectIds}::bigint[])`.execute(db)
  return rows
}
