import { createHash } from 'node:crypto'
import type { BlobStore } from './blob-store.ts'
import { asStoreError } from './store-error.ts'

/** `whole`: its bytes are those it is named for; `broken`: they are others; `missing`: there are none. */
export type BlobState = 'whole' | 'broken' | 'missing'

/**
 * Reads a blob and hashes it again.
 * @param bytes that it must have; undefined: any
 * @throws StoreError when it cannot be read, which says nothing about it
 */
export async function rehashBlob(
  store: BlobStore,
  sha256: string,
  bytes?: number,
): Promise<BlobState> {
  const found = await store.has(sha256)
  if (found === undefined) return 'missing'
  if (bytes !== undefined && found.bytes !== bytes) return 'broken'
  const hash = createHash('sha256')
  try {
    for await (const chunk of store.open(sha256)) hash.update(chunk)
  } catch (error) {
    if ((await store.has(sha256)) === undefined) return 'missing'
    throw asStoreError(error, 'reading a file', store.uri)
  }
  return hash.digest('hex') === sha256 ? 'whole' : 'broken'
}
