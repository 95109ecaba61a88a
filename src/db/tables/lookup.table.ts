import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { CandidateList } from '../../core/matching/candidate.ts'
import type { LookupQuery } from '../../core/matching/lookup-query.ts'

export interface LookupTable {
  id: Generated<number>
  service: string
  /** SHA-256 of the full key (`lookupKey`). */
  key_hash: Buffer
  query: JSONColumnType<LookupQuery>
  status: Generated<'missing' | 'answered' | 'failed'>
  answer: ColumnType<CandidateList | null, string | undefined, string>
  /** The service's answer as it came; null when it was very long. */
  raw: ColumnType<unknown, string | null | undefined, string | null>
  answered_at: Date | null
  /** What the service said of itself when it answered; null where nothing was known. */
  service_version_id: number | null
  /** Of the answer, as the service names it (BCP 47); null where it names none. */
  language: string | null
  /** When the answer took the place of an older one; null for a first answer. */
  refreshed_at: Date | null
  /** When the last try to renew the answer failed for good; null once an answer came. */
  refresh_failed_at: Date | null
  /** Failed attempts since it was last planned or answered. */
  attempts: Generated<number>
  next_attempt_at: Date | null
  /** Of the last failed attempt; of an answered one: why its answer could not be renewed. */
  error_kind: string | null
  error_code: string | null
  error_message: string | null
  /** The open task that asks it; void as soon as that task or its run has ended. */
  claimed_run_id: number | null
  claimed_task: number | null
  claimed_at: Date | null
}

export interface SubjectLookupTable {
  subject_id: number
  /** 0 is the main name; variants follow in order. */
  position: number
  lookup_id: number
}
