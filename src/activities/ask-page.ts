import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import type { ArtifactPlan } from '../core/download/artifact-plan.ts'
import type { AskedPage } from '../core/download/resolver.ts'
import type { ArtifactFetcher, FetchArtifactCall } from '../http/download/artifact-fetcher.ts'
import { DownloadError } from '../http/download/download-error.ts'

/** Pages that say where a file is; the file itself may come in their place. */
const MOST_BYTES = 8 * 1024 * 1024

/**
 * Reads a page as a file is fetched: with permits, only from public addresses, not longer than it may be. No slot is
 * needed for it.
 * @throws what a transfer throws
 */
export async function askPage(
  fetcher: Pick<ArtifactFetcher, 'fetch'>,
  page: Pick<ArtifactPlan, 'resolver' | 'url' | 'headers'>,
  call: Pick<FetchArtifactCall, 'signal' | 'project' | 'attempt' | 'onExchange'>,
): Promise<AskedPage> {
  const found = await fetcher.fetch(
    { ...page, expected: { maxBytes: MOST_BYTES } },
    {
      ...call,
      token: randomUUID(),
      takeSlots: () => Promise.resolve(() => undefined),
      onProgress: () => undefined,
    },
  )
  if (found.kind !== 'body') {
    throw new DownloadError({ reason: 'unexpected-not-modified', message: 'A page came as 304.' })
  }
  try {
    const { status, headers, finalUrl } = found
    return { status, headers, url: finalUrl, text: await readFile(found.tempPath, 'utf8') }
  } finally {
    await rm(found.tempPath, { force: true })
  }
}
