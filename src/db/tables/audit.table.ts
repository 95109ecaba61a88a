import type { Generated } from 'kysely'

/** A random draw of automatic matches that people check. */
export interface AuditTable {
  id: Generated<number>
  project_id: number
  seed: number
  drawn_by: string
  drawn_at: Generated<Date>
}

export interface AuditRecordTable {
  audit_id: number
  /** From 1, in the order drawn. */
  position: number
  subject_id: number
  /** The item of the decision that was drawn. */
  external_id: string
}
