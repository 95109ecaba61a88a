/** Blobs as files of a folder. What is there was written to the disk before it got its name. */
import { randomUUID } from 'node:crypto'
import { createReadStream, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { BLOB_FOLDER, blobPath } from '../core/download/blob-path.ts'
import { partName } from '../core/download/part-name.ts'
import type { BlobStore, StagedFile } from './blob-store.ts'
import { type Disk, nodeDisk } from './disk.ts'
import { DEFAULT_RESERVE_BYTES, ensureFreeSpace } from './free-space.ts'
import { listBlobFiles } from './list-blob-files.ts'
import { asStoreError, notAsStaged } from './store-error.ts'

/** Nobody writes into a blob by accident, also not through a hard link to it. */
const BLOB_MODE = 0o444

export interface FileStoreOptions {
  readonly reserveBytes?: number
  readonly disk?: Disk
}

/**
 * @param folder is made when it is not there
 * @throws StoreError when it cannot be
 */
export function openFileStore(folder: string, options: FileStoreOptions = {}): BlobStore {
  const { reserveBytes = DEFAULT_RESERVE_BYTES, disk = nodeDisk } = options
  const tempDir = join(folder, 'tmp')
  try {
    mkdirSync(join(folder, BLOB_FOLDER), { recursive: true })
    mkdirSync(tempDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw asStoreError(error, 'making its folder', folder)
  }
  const pathOf = (sha256: string) => join(folder, blobPath(sha256))
  const tried = <T>(doing: string, work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw asStoreError(error, doing, folder)
    })

  /** @returns whether the file is in its place, so that nothing of it is left over */
  async function putFile(file: StagedFile, target: string): Promise<boolean> {
    const [found, stored] = await Promise.all([disk.sizeOf(file.path), disk.sizeOf(target)])
    if (found !== file.bytes) throw notAsStaged(file, found)
    if (stored === file.bytes) {
      // Another put may have come just so far as to give it its name.
      await disk.sync(dirname(target))
      await disk.touch(target)
      return false
    }
    if (file.isSealed !== true) await disk.sync(file.path)
    await makeFolders(disk, dirname(target))
    await disk.setMode(file.path, BLOB_MODE)
    const isMoved = await moveInto(file, target)
    await disk.sync(dirname(target))
    return isMoved
  }

  async function moveInto(file: StagedFile, target: string): Promise<boolean> {
    try {
      await disk.rename(file.path, target)
      return true
    } catch (error) {
      if (!isOtherVolume(error)) throw error
      const copy = join(tempDir, partName(file.sha256.slice(0, 16), randomUUID()))
      try {
        await disk.copy(file.path, copy)
        await disk.sync(copy)
        await disk.rename(copy, target)
        return false
      } finally {
        await disk.remove(copy)
      }
    }
  }

  return {
    uri: pathToFileURL(folder).href,
    tempDir,
    localDir: folder,
    async put(file) {
      let isMoved = false
      try {
        isMoved = await tried('storing a file', putFile(file, pathOf(file.sha256)))
      } finally {
        if (!isMoved) await disk.remove(file.path)
      }
    },
    async has(sha256) {
      const bytes = await tried('looking for a file', disk.sizeOf(pathOf(sha256)))
      return bytes === undefined ? undefined : { bytes }
    },
    open: (sha256) => createReadStream(pathOf(sha256)),
    remove: (sha256) => tried('removing a file', disk.remove(pathOf(sha256))),
    list: () => listBlobFiles(folder),
    ensureSpace: (bytes) => ensureFreeSpace(disk, tempDir, bytes, reserveBytes),
    close: () => undefined,
  }
}

/** A new folder is a name in the one above, which has to be on the disk as well. */
async function makeFolders(disk: Disk, folder: string): Promise<void> {
  const first = await disk.makeFolder(folder)
  if (first === undefined) return
  const above: string[] = []
  for (let made = folder; made.length >= first.length; made = dirname(made)) {
    above.push(dirname(made))
  }
  await Promise.all(above.map((named) => disk.sync(named)))
}

function isOtherVolume(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EXDEV'
}
