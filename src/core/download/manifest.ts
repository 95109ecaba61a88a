/** What became of each artifact: one line per artifact, the keys always in this order. */
import { blobPath } from './blob-path.ts'
import type { ArtifactLicence } from './artifact-plan.ts'

export interface ManifestEntry {
  readonly artifactId: string
  /** Record that it was taken from, as its file names it. */
  readonly entry: string | null
  /** `done`, `skipped`, `error` …: the state of its job. */
  readonly outcome: string
  readonly reason: string | null
  readonly sha256: string | null
  /** Without secrets. */
  readonly finalUrl: string | null
  readonly bytes: number | null
  readonly type: string | null
  readonly status: number | null
  readonly cacheStatus: string | null
  readonly name: string | null
  readonly licence: ArtifactLicence | null
}

/** JSON, with its line break. */
export function manifestLine(entry: ManifestEntry): string {
  const { sha256, licence } = entry
  return `${JSON.stringify({
    artifact: entry.artifactId,
    entry: entry.entry,
    outcome: entry.outcome,
    reason: entry.reason,
    sha256,
    path: sha256 === null ? null : blobPath(sha256),
    final_url: entry.finalUrl,
    bytes: entry.bytes,
    type: entry.type,
    status: entry.status,
    cache: entry.cacheStatus,
    name: entry.name,
    licence: licence?.name ?? null,
    licence_url: licence?.url ?? null,
    author: licence?.author ?? null,
    credit: licence?.credit ?? null,
  })}\n`
}
