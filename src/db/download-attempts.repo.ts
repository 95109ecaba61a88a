import type { Db } from './connect.ts'

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
  await tx
    .insertInto('download_attempts')
    .values(
      attempts.map((one) => ({
        job_id: one.jobId,
        attempt: one.attempt,
        resolver: one.resolver,
        plan: one.plan,
        verb: one.verb,
        status: one.status,
        reason: one.reason,
        host: one.host,
        wire_bytes: one.wireBytes,
        stored_bytes: one.storedBytes,
        latency_ms: Math.round(one.latencyMs),
        cache_status: one.cacheStatus,
      })),
    )
    .execute()
}
