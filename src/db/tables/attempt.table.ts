import type { Generated, JSONColumnType } from 'kysely'

/** One outside call that left this machine. */
export interface AttemptTable {
  id: Generated<number>
  run_id: number | null
  task_number: number | null
  domain: string
  /** `ok`, or the kind of error. */
  outcome: string
  http_status: number | null
  code: string | null
  message: string | null
  lookup_ids: JSONColumnType<number[]>
  duration_ms: number
  attempted_at: Generated<Date>
}
