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
    with counted as (
      select floor(d.score / ${BAR_POINTS}) as bar, s.outcome, count(*) as records
      from subject s join decision d on d.id = s.decision_id
      where s.project_id = ${projectId}::bigint and s.outcome is not null and d.score is not null
      group by 1, 2
    )
    select least(bar * ${BAR_POINTS}, ${100 - BAR_POINTS})::integer as from,
      ${recordsOf('matched')} as matched, ${recordsOf('review')} as review,
      ${recordsOf('no_candidate')} as "noCandidate"
    from counted group by 1 order by 1`.execute(db)
  return rows
}

function recordsOf(outcome: string) {
  return sql`coalesce(sum(records) filter (where outcome = ${outcome}::text), 0)::integer`
}
