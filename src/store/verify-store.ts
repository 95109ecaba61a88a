/** Compares the store with its rows, and every content with its name. Changes nothing but when it was last verified. */
import { jobContentsWithoutRow } from '../db/blob-references.repo.ts'
import { blobsAfter, findBlob, type KnownBlob, noteVerified } from '../db/blobs.repo.ts'
import type { Db } from '../db/connect.ts'
import type { BlobStore } from './blob-store.ts'
import { rehashBlob } from './rehash-blob.ts'

/**
 * `broken`: other bytes than its name says; `missing`: a row or a job has it and the store has not; `unlisted`: the store
 * has it and no row does, which `gc` removes.
 */
export type BlobFault = 'broken' | 'missing' | 'unlisted'

export interface FaultyBlob {
  readonly sha256: string
  readonly fault: BlobFault
}

export interface VerifyProgress {
  readonly blobs: number
  readonly bytes: number
}

export interface VerifyReport extends VerifyProgress {
  readonly whole: number
  readonly faults: Readonly<Record<BlobFault, number>>
}

const PAGE_SIZE = 500

/** @param on told of each content that was read, and of each fault as it is found */
export async function verifyStore(
  db: Db,
  store: BlobStore,
  on: {
    readonly progress?: (done: VerifyProgress) => void
    readonly fault?: (blob: FaultyBlob) => void | Promise<void>
    readonly signal?: AbortSignal
  } = {},
): Promise<VerifyReport> {
  const faults = { broken: 0, missing: 0, unlisted: 0 }
  let [blobs, bytes, whole] = [0, 0, 0]
  const found = async (sha256: string, fault: BlobFault) => {
    faults[fault] += 1
    await on.fault?.({ sha256, fault })
  }
  for await (const { sha256, bytes: listed, size } of pairs(db, store)) {
    on.signal?.throwIfAborted()
    if (size === undefined) {
      // It may have come, or gone with its row, since both were read.
      const [now, row] = [await store.has(sha256), await findBlob(db, sha256)]
      if (now === undefined && row !== undefined) await found(sha256, 'missing')
      continue
    }
    const state = await rehashBlob(store, sha256, listed)
    blobs += 1
    bytes += size
    if (state === 'whole') whole += 1
    const row = await findBlob(db, sha256)
    if (state === 'broken' || (state === 'missing' && row !== undefined)) await found(sha256, state)
    else if (state === 'whole' && row === undefined) await found(sha256, 'unlisted')
    if (row !== undefined) await noteVerified(db, sha256, state === 'whole')
    on.progress?.({ blobs, bytes })
  }
  for (const sha256 of await jobContentsWithoutRow(db)) {
    if ((await store.has(sha256)) === undefined) await found(sha256, 'missing')
  }
  return { blobs, bytes, whole, faults }
}

/** 3, as after failed records: something is broken or missing; what is only unlisted harms nobody. */
export function verifyExitCode({ faults }: VerifyReport): 0 | 3 {
  return faults.broken + faults.missing > 0 ? 3 : 0
}

interface Pair {
  readonly sha256: string
  /** Bytes that the row says; undefined: no row. */
  readonly bytes: number | undefined
  /** Bytes in the store; undefined: it is not there. */
  readonly size: number | undefined
}

/** Rows and store side by side; both come in order of their hash. */
async function* pairs(db: Db, store: BlobStore): AsyncGenerator<Pair> {
  const rows = rowsOf(db)
  const next = async () => (await rows.next()).value
  let row = await next()
  for await (const { sha256, bytes: size } of store.list()) {
    for (; row !== undefined && row.sha256 < sha256; row = await next()) {
      yield { ...row, size: undefined }
    }
    const isSame = row?.sha256 === sha256
    yield { sha256, bytes: isSame ? row?.bytes : undefined, size }
    if (isSame) row = await next()
  }
  for (; row !== undefined; row = await next()) yield { ...row, size: undefined }
}

async function* rowsOf(db: Db): AsyncGenerator<KnownBlob, undefined> {
  for (let after = ''; ;) {
    const page = await blobsAfter(db, after, PAGE_SIZE)
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE_SIZE) return undefined
    after = last.sha256
  }
}
