/** Many attempts that have their file end in a few statements: one transaction costs about as much as one of them. */
import { sql } from 'kysely'
import type { Db } from './connect.ts'
import type { JobAttempt, JobResult } from './job-attempts.repo.ts'
import { prepared } from './prepared.ts'

export interface JobFinish {
  readonly job: Pick<JobAttempt, 'id' | 'token'>
  readonly result: JobResult
}

/** @returns of each whether its attempt still had the job; else nothing of it was changed */
export async function finishAttempts(
  tx: Db,
  finishes: readonly JobFinish[],
): Promise<readonly boolean[]> {
  const results = finishes.map(({ result }) => result)
  const { rows } = await sql<{ id: number }>`${prepared}
    update jobs j
    set state = 'done', claim = null, attempt_token = null, updated_at = now(), reason = null, last_error = null,
      sha256 = f.sha256, bytes = f.bytes, content_type = f.content_type, final_url = f.final_url,
      http_status = f.http_status, cache_status = f.cache_status, display_name = f.display_name,
      licence = coalesce(f.licence, j.licence)
    from unnest(
      ${finishes.map(({ job }) => job.id)}::bigint[],
      ${finishes.map(({ job }) => job.token)}::uuid[],
      ${results.map(({ sha256 }) => sha256)}::text[],
      ${results.map(({ bytes }) => bytes)}::bigint[],
      ${results.map(({ contentType }) => contentType)}::text[],
      ${results.map(({ finalUrl }) => finalUrl)}::text[],
      ${results.map(({ httpStatus }) => httpStatus)}::integer[],
      ${results.map(({ cacheStatus }) => cacheStatus)}::text[],
      ${results.map(({ displayName }) => displayName)}::text[],
      ${results.map(({ licence }) => (licence === null ? null : JSON.stringify(licence)))}::jsonb[]
    ) as f (id, token, sha256, bytes, content_type, final_url, http_status, cache_status, display_name, licence)
    where j.id = f.id and j.attempt_token = f.token and j.state = 'in_progress'
    returning j.id`.execute(tx)
  const done = new Set(rows.map(({ id }) => id))
  return finishes.map(({ job }) => done.has(job.id))
}
