import { sql } from 'kysely'
import type { Db } from './connect.ts'

/** Points of a score in one bar. */
const BAR_POINTS = 2

/** Records whose best candidate scored within a bar. */
export interface ScoreBar {
  /** 0, 2, 4, … 98: a bar begins here; the last one has 100 too. */
  readonly from: number
  readonly matched: number
  readonly review: number
  readonly noCandidate: number
}

/** Decided records of a project by the score of their best candidate; bars without any are left out. */
export async function scoreHistogram(db: Db, projectId: number): Promise<readonly ScoreBar[]> {
  const { rows } = await sql<ScoreBar>`
    select least(floor(d.score / ${BAR_POINTS}) * ${BAR_POINTS}, ${100 - BAR_POINTS})::integer as from,
      count(*) filter (where s.outcome = 'matched')::integer as matched,
      count(*) filter (where s.outcome = 'review')::integer as review,
      count(*) filter (where s.outcome = 'no_candidate')::integer as "noCandidate"
    from subject s
    join decision d on d.subject_id = s.id and d.id = s.decision_id
    where s.project_id = ${projectId}::bigint and s.outcome is not null and d.score is not null
    group by 1 order by 1`.execute(db)
  return rows
}
