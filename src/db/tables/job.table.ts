import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { Artifact } from '../../core/download/artifact.ts'
import type { ArtifactLicence } from '../../core/download/artifact-plan.ts'
import type { JobState } from '../../core/download/job-state.ts'

/** A file that is to be fetched. */
export interface JobTable {
  id: Generated<number>
  queue: string
  artifact_id: string
  artifact_json: JSONColumnType<Artifact>
  state: Generated<JobState>
  /** Attempts that have failed, those that lost their worker too. */
  attempts: Generated<number>
  /** Without secrets, at most 2 KB. */
  last_error: string | null
  /** Code of the closed list of reasons. */
  reason: string | null
  resolver_hint: string | null
  priority: Generated<number>
  host: string
  /** Null: at once. */
  next_attempt_at: Date | null
  /** Names the window of the dispatcher that has it. */
  claim: string | null
  /** Of the attempt that runs; what ends with another one changes nothing. */
  attempt_token: string | null
  workflow_id: string | null
  run_id: string | null
  heartbeat_at: Date | null
  bytes_done: number | null
  sha256: string | null
  bytes: number | null
  content_type: string | null
  /** Without secrets. */
  final_url: string | null
  http_status: number | null
  cache_status: string | null
  display_name: string | null
  licence: JSONColumnType<ArtifactLicence | null, string | null, string | null>
  /** `suspicious-duplicate`, of one that is done. */
  flag: string | null
  /** Of its origin; the job goes with the project. */
  project_id: ColumnType<number | null, never, never>
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

/** One request to the outside, or one stored answer that was used in its place. */
export interface DownloadAttemptTable {
  id: Generated<number>
  job_id: number
  /** From 1. */
  attempt: number
  resolver: string
  /** From 0; -1: while plans were looked for. */
  plan: number
  verb: string
  status: number | null
  reason: string | null
  host: string
  wire_bytes: Generated<number>
  stored_bytes: Generated<number>
  latency_ms: Generated<number>
  cache_status: string | null
  at: Generated<Date>
}
