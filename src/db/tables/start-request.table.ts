import type { Generated } from 'kysely'

/** A start over HTTP that named a key. */
export interface StartRequestTable {
  project_id: number
  key: string
  /** SHA-256 of what was asked. */
  request_hash: Buffer
  temporal_run_id: string
  asked_at: Generated<Date>
}
