import type { Outcome } from '../../core/matching/decision.ts'
import type { Verdict } from './judgment.table.ts'
import type { SubjectStatus } from './subject.table.ts'

/** View: a subject's judgment, else its decision. */
export interface ResultView {
  subject_id: number
  project_id: number
  entry_id: number
  external_id: string
  position: number
  absent_since: Date | null
  status: SubjectStatus
  outcome: Outcome | null
  run_id: number | null
  /** `matched`, `review`, `no_candidate`, `skipped`, a verdict, or a status in lower case. */
  match_status: Outcome | Exclude<Verdict, 'match'> | Lowercase<SubjectStatus>
  match_qid: string | null
  match_by: string | null
  match_at: Date | null
  score: number | null
  margin: number | null
  runner_up: string | null
  rule: string | null
  reason: string | null
  service: string | null
  best_external_id: string | null
  error_code: string | null
  error_message: string | null
  judgment_id: number | null
  stale: boolean
}
