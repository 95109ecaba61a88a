import { dropAnswersWith } from '../db/http-cache.repo.ts'
import { noteVerified, seizeBlob } from '../db/blobs.repo.ts'
import type { Db } from '../db/connect.ts'
import type { BlobStore } from './blob-store.ts'
import { rehashBlob } from './rehash-blob.ts'

/**
 * Removes a content that is not what it is named for, so that the next put brings a good one, and forgets the answers
 * that have it. Looks again first: somebody may have repaired it meanwhile.
 * @returns whether it was missing or broken
 */
export async function removeBrokenBlob(
  db: Db,
  store: BlobStore,
  { sha256, bytes }: { readonly sha256: string; readonly bytes: number },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await seizeBlob(tx, sha256)
    const state = await rehashBlob(store, sha256, bytes)
    if (state === 'whole') return false
    if (state === 'broken') await store.remove(sha256)
    await dropAnswersWith(tx, sha256)
    await noteVerified(tx, sha256, false)
    return true
  })
}
