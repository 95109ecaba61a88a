import type { ArtifactFetcher, FetchArtifactOptions } from './artifact-fetcher.ts'
import { DownloadError } from './download-error.ts'

export function createArtifactFetcher(_options: FetchArtifactOptions): ArtifactFetcher {
  return {
    async fetch() {
      throw new DownloadError({ reason: 'server-error', message: 'not built yet' })
    },
    async close() {},
  }
}
