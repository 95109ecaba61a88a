/** A content of the store under a readable name in a folder of the user. */
import { createReadStream, createWriteStream } from 'node:fs'
import { copyFile, constants, link, lstat, rename, rm } from 'node:fs/promises'
import { createHash, randomUUID } from 'node:crypto'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { blobPath } from '../core/download/blob-path.ts'
import { freeName } from '../core/download/export-name.ts'
import { partName } from '../core/download/part-name.ts'
import type { BlobStore } from './blob-store.ts'
import { asStoreError } from './store-error.ts'

export interface ExportedBlob {
  /** In the folder. */
  readonly name: string
  /** `kept`: a file of that name and content was there. */
  readonly how: 'linked' | 'copied' | 'kept'
}

export interface ExportPlace {
  /** Exists. */
  readonly folder: string
  /** Names given so far, which grow. */
  readonly taken: Set<string>
  /** Never a link: what is done to the file must not reach the store. */
  readonly isCopy: boolean
}

/**
 * Links or copies a content. What is there under the name with another content stays, and the new one gets a number.
 * @param name one part of a path
 * @throws StoreError when it cannot be read or written
 */
export async function exportBlob(
  store: BlobStore,
  { sha256, bytes }: { readonly sha256: string; readonly bytes: number },
  name: string,
  { folder, taken, isCopy }: ExportPlace,
): Promise<ExportedBlob> {
  if (basename(name) !== name || name === '' || name === '.' || name === '..') {
    throw new TypeError(`expected one part of a path, found "${name}"`)
  }
  try {
    for (;;) {
      const free = freeName(name, taken)
      const path = join(folder, free)
      const there = await lstat(path).catch(() => undefined)
      if (there === undefined) {
        const how = await place(store, sha256, path, isCopy)
        if (how !== 'taken') return { name: free, how }
      } else if (there.isFile() && there.size === bytes && (await hashOf(path)) === sha256) {
        return { name: free, how: 'kept' }
      }
    }
  } catch (error) {
    throw asStoreError(error, 'exporting a file', folder)
  }
}

/** @returns `taken`: somebody else made a file of that name meanwhile */
async function place(
  store: BlobStore,
  sha256: string,
  path: string,
  isCopy: boolean,
): Promise<'linked' | 'copied' | 'taken'> {
  const blob = store.localDir === null ? null : join(store.localDir, blobPath(sha256))
  if (blob !== null && !isCopy) {
    try {
      await link(blob, path)
      return 'linked'
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return 'taken'
      // Another volume, or one without links: copied then. A missing content fails there as well.
    }
  }
  // Whole or not at all under its name, also when this process dies.
  const part = join(path, '..', partName('export', randomUUID()))
  try {
    if (blob === null) await pipeline(store.open(sha256), createWriteStream(part, { flags: 'wx' }))
    else await copyFile(blob, part, constants.COPYFILE_EXCL)
    await rename(part, path)
    return 'copied'
  } finally {
    await rm(part, { force: true })
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
