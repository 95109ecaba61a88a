import type { ColumnType, Generated } from 'kysely'

/** How a judgment came about. */
export type ActWay = 'review' | 'blind' | 'audit' | 'bulk' | 'undo'

/** What a person did at once, and can undo at once. */
export interface JudgmentActTable {
  id: Generated<number>
  project_id: number
  way: ActWay
  /** Of a bulk act: what it took in. */
  rule: ColumnType<BulkRule | null, string | undefined, never>
  acted_by: string
  acted_at: Generated<Date>
  /** The act that this one takes back. */
  undoes: number | null
}

/** Records whose best candidate is accepted: all conditions hold. Scores are 0 to 100. */
export interface BulkRule {
  readonly minScore: number
  readonly minMargin: number
  /** Only records with one candidate. */
  readonly single: boolean
}
