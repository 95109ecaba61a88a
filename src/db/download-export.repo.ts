import { type RawBuilder, sql } from 'kysely'
import type { ManifestEntry } from '../core/download/manifest.ts'
import type { Db } from './connect.ts'
import type { DownloadAttempt } from './download-attempts.repo.ts'
import { readCursor } from './read-cursor.ts'

/** A job with what its line of the manifest and the name of its file are made of. */
export interface ExportedArtifact extends ManifestEntry {
  readonly jobId: number
  readonly item: string | null
  readonly property: string | null
  /** Name that the host gave. */
  readonly hostName: string | null
}

/** One request, or a stored answer in its place. */
export interface ExportedAttempt extends DownloadAttempt {
  readonly at: Date
  readonly artifactId: string
}

/** Reads the jobs of a queue in the order in which they came, as they are at one moment. */
export async function readArtifacts(
  db: Db,
  queue: string,
  onPage: (page: readonly ExportedArtifact[]) => Promise<void>,
): Promise<void> {
  const query: RawBuilder<ExportedArtifact> = sql`
    select j.id as "jobId", j.artifact_id as "artifactId", j.artifact_json->'origin'->>'entry' as entry,
      j.artifact_json->'origin'->>'item' as item, j.artifact_json->'origin'->>'property' as property,
      j.state as outcome, j.reason, j.sha256, j.final_url as "finalUrl", j.bytes,
      coalesce(b.detected_type, j.content_type) as type, j.http_status as status,
      j.cache_status as "cacheStatus", coalesce(j.artifact_json->>'name', j.display_name) as name,
      j.display_name as "hostName",
      coalesce(j.licence, j.artifact_json->'licence') as licence
    from jobs j
    left join blobs b on b.sha256 = j.sha256
    where j.queue = ${queue}::text
    order by j.id`
  await readCursor(db, query, onPage)
}

/** Reads the attempts of a queue in the order in which they were made. */
export async function readAttempts(
  db: Db,
  queue: string,
  onPage: (page: readonly ExportedAttempt[]) => Promise<void>,
): Promise<void> {
  const query: RawBuilder<ExportedAttempt> = sql`
    select a.at, a.job_id as "jobId", j.artifact_id as "artifactId", a.attempt, a.resolver, a.plan, a.verb,
      a.status, a.reason, a.host, a.wire_bytes as "wireBytes", a.stored_bytes as "storedBytes",
      a.latency_ms as "latencyMs", a.cache_status as "cacheStatus"
    from download_attempts a
    join jobs j on j.id = a.job_id
    where j.queue = ${queue}::text
    order by a.id`
  await readCursor(db, query, onPage)
}
