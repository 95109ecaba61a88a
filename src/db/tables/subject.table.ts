import type { Generated } from 'kysely'
import type { Outcome } from '../../core/matching/decision.ts'

/** Only a QUEUED row is ever finished; see DESIGN §1 for the ways back to QUEUED. */
export type SubjectStatus = 'NEW' | 'QUEUED' | 'COMPLETED' | 'FAILED' | 'CANCELLED'

export interface SubjectTable {
  id: Generated<number>
  project_id: number
  entry_id: number
  status: Generated<SubjectStatus>
  /** Of its last decision; kept while QUEUED only where that decision stands until there is another. */
  outcome: Outcome | null
  /** SHA-256 over the mapped cells as they are now. */
  match_hash: Buffer
  /** SHA-256 over the mapped cells from which its present lookups were made. */
  asked_hash: Buffer | null
  /** The entry's source hash and the settings revision from which match_hash was computed. */
  seen_source_hash: Buffer
  seen_revision: number
  /** match_hash and settings revision of the last decision. */
  decided_hash: Buffer | null
  decided_revision: number | null
  decision_id: number | null
  /** The run that queued it last, and its task in that run. */
  run_id: number | null
  task_number: number | null
  error_code: string | null
  error_message: string | null
  /** When an answer first showed the judged item otherwise than the answer before, or a recheck found it gone. */
  item_changed_at: Date | null
  updated_at: Generated<Date>
}
