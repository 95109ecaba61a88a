/** Removes what nobody needs any more: files of attempts that are over, and contents that nothing refers to. */
import { collectBlob, unreferredOf, unreferredRows } from '../db/blob-references.repo.ts'
import type { Db } from '../db/connect.ts'
import { dropAnswersUnusedSince } from '../db/http-cache.repo.ts'
import type { BlobStore, StoredBlob } from './blob-store.ts'
import { collectParts, type PartOptions, type Removed } from './collect-parts.ts'

export interface GarbageOptions extends PartOptions {
  /** Contents that nothing refers to are kept so long, ms: between a put and its row some time goes by. */
  readonly blobAgeMs: number
  /** Answers that were not used for so long are forgotten first, ms; undefined: none is. */
  readonly unusedAnswerMs?: number | undefined
}

export interface GarbageReport {
  readonly parts: Removed
  readonly blobs: Removed
  /** Of contents that were not in the store either. */
  readonly rows: number
  readonly answers: number
}

const PAGE_SIZE = 500

/** Safe beside transfers, and to repeat. */
export async function collectGarbage(
  db: Db,
  store: BlobStore,
  options: GarbageOptions,
): Promise<GarbageReport> {
  const { nowMs, unusedAnswerMs, isDryRun = false } = options
  const parts = await collectParts(db, store.tempDir, options)
  const answers =
    unusedAnswerMs === undefined || isDryRun
      ? 0
      : await dropAnswersUnusedSince(db, nowMs - unusedAnswerMs)
  const blobs = await collectBlobs(db, store, options)
  return { parts, blobs, answers, rows: await collectRows(db, store, options) }
}

async function collectBlobs(
  db: Db,
  store: BlobStore,
  { nowMs, blobAgeMs, isDryRun }: GarbageOptions,
): Promise<Removed> {
  const removed: Removed = { files: 0, bytes: 0 }
  for await (const page of pagesOf(store.list())) {
    const old = page.filter(({ storedAtMs }) => nowMs - storedAtMs >= blobAgeMs)
    const unreferred = await unreferredOf(
      db,
      old.map(({ sha256 }) => sha256),
    )
    for (const { sha256, bytes } of old) {
      if (!unreferred.has(sha256)) continue
      if (isDryRun !== true && !(await collectBlob(db, sha256, () => store.remove(sha256))))
        continue
      removed.files += 1
      removed.bytes += bytes
    }
  }
  return removed
}

async function collectRows(
  db: Db,
  store: BlobStore,
  { nowMs, blobAgeMs, isDryRun }: GarbageOptions,
): Promise<number> {
  let rows = 0
  for (const sha256 of await unreferredRows(db, nowMs - blobAgeMs)) {
    // One that is there is young, or the loop before has just kept it.
    if ((await store.has(sha256)) !== undefined) continue
    if (isDryRun === true || (await collectBlob(db, sha256, () => Promise.resolve()))) rows += 1
  }
  return rows
}

async function* pagesOf(blobs: AsyncIterable<StoredBlob>): AsyncGenerator<readonly StoredBlob[]> {
  let page: StoredBlob[] = []
  for await (const blob of blobs) {
    page.push(blob)
    if (page.length < PAGE_SIZE) continue
    yield page
    page = []
  }
  yield page
}
