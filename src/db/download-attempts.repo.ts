import { sql } from 'kysely'
import type { Db } from './connect.ts'
import { prepared } from './prepared.ts'

/** What was done for a job: a request to the outside, or a stored answer that was used in its place. */
export interface DownloadAttempt {
  readonly jobId: number
  /** From 1. */
  readonly attempt: number
  readonly resolver: string
  /** From 0; -1: while plans were looked for. */
  readonly plan: number
  readonly verb: string
  readonly status: number | null
  readonly reason: string | null
  readonly host: string
  readonly wireBytes: number
  readonly storedBytes: number
  readonly latencyMs: number
  readonly cacheStatus: string | null
}

export async function recordDownloadAttempts(
  tx: Db,
  attempts: readonly DownloadAttempt[],
): Promise<void> {
  if (attempts.length === 0) return
  await sql`${prepared}
    insert into download_attempts (job_id, attempt, resolver, plan, verb, status, reason, host, wire_bytes, stored_bytes,
      latency_ms, cache_status)
    select * from unnest(
      ${attempts.map(({ jobId }) => jobId)}::bigint[],
      ${attempts.map(({ attempt }) => attempt)}::integer[],
      ${attempts.map(({ resolver }) => resolver)}::text[],
      ${attempts.map(({ plan }) => plan)}::integer[],
      ${attempts.map(({ verb }) => verb)}::text[],
      ${attempts.map(({ status }) => status)}::integer[],
      ${attempts.map(({ reason }) => reason)}::text[],
      ${attempts.map(({ host }) => host)}::text[],
      ${attempts.map(({ wireBytes }) => wireBytes)}::bigint[],
      ${attempts.map(({ storedBytes }) => storedBytes)}::bigint[],
      ${attempts.map(({ latencyMs }) => Math.round(latencyMs))}::integer[],
      ${attempts.map(({ cacheStatus }) => cacheStatus)}::text[])`.execute(tx)
}
