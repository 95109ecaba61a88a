import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BLOB_FOLDER, hashOfBlobPath } from '../core/download/blob-path.ts'
import type { StoredBlob } from './blob-store.ts'

/** Every blob of a folder, in order of its hash; only one folder of names is held at a time. */
export async function* listBlobFiles(root: string): AsyncGenerator<StoredBlob> {
  for (const first of await names(join(root, BLOB_FOLDER))) {
    for (const second of await names(join(root, BLOB_FOLDER, first))) {
      const folder = `${BLOB_FOLDER}/${first}/${second}`
      for (const name of await names(join(root, folder))) {
        const sha256 = hashOfBlobPath(`${folder}/${name}`)
        // Removed since the folder was read: not a blob any more.
        const found = await stat(join(root, folder, name)).catch(() => undefined)
        if (sha256 === undefined || found === undefined || !found.isFile()) continue
        yield { sha256, bytes: found.size, storedAtMs: found.mtimeMs }
      }
    }
  }
}

async function names(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).sort()
  } catch (error) {
    if (error instanceof Error && 'code' in error && isNoFolder(error.code)) return []
    throw error
  }
}

function isNoFolder(code: unknown): boolean {
  return code === 'ENOENT' || code === 'ENOTDIR'
}
