import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { DecisionEvidence, Outcome } from '../../core/matching/decision.ts'

export interface DecisionTable {
  id: Generated<number>
  subject_id: number
  run_id: number | null
  settings_revision: number
  weights_version: string
  match_hash: Buffer
  outcome: Outcome
  rule: string
  reason: string
  service: string | null
  external_id: string | null
  score: number | null
  margin: number | null
  runner_up: string | null
  evidence: JSONColumnType<DecisionEvidence>
  decided_at: Generated<Date>
  /** A person; null: a run. */
  decided_by: ColumnType<string | null, string | undefined, string | null>
}
