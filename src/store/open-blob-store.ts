import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../errors.ts'
import type { BlobStore } from './blob-store.ts'
import { openFileStore } from './file-blob-store.ts'
import { openS3Store } from './s3-blob-store.ts'
import { loadS3Sdk } from './s3-client.ts'
import { readS3Uri } from './s3-uri.ts'

export interface BlobStoreOptions {
  /** Where transfers write when the blobs are elsewhere; a store of files has its own. Default: the system's folder for such. */
  readonly stagingDir?: string
  /** Bytes that are always left free on the disk; default 1 GiB. */
  readonly reserveBytes?: number
}

/**
 * @param uri `file:///folder`, or `s3://bucket/prefix?endpoint=https://…&region=…&path-style=true`
 * @throws UsageError `bad_store`, `s3_not_installed`
 */
export async function openBlobStore(
  uri: string,
  options: BlobStoreOptions = {},
): Promise<BlobStore> {
  if (uri.startsWith('file:///')) return openFileStore(fileURLToPath(uri), options)
  if (uri.startsWith('s3:')) {
    const place = readS3Uri(uri)
    const { stagingDir = join(tmpdir(), 'record-linker-transfers') } = options
    return openS3Store(await loadS3Sdk(), place, { ...options, stagingDir })
  }
  throw new UsageError({
    code: 'bad_store',
    message: `"${uri}" is no store: expected file:///folder or s3://bucket/prefix.`,
  })
}
