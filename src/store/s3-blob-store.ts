/** Blobs as objects of S3 or what is compatible with it; an object appears whole or not at all. */
import { mkdirSync } from 'node:fs'
import { Readable } from 'node:stream'
import { BLOB_FOLDER, blobPath, hashOfBlobPath } from '../core/download/blob-path.ts'
import type { BlobStore, StoredBlob } from './blob-store.ts'
import { nodeDisk } from './disk.ts'
import { DEFAULT_RESERVE_BYTES, ensureFreeSpace } from './free-space.ts'
import { createS3Client, type S3Sdk } from './s3-client.ts'
import type { PartSizes } from './s3-multipart.ts'
import { s3Trouble, statusOf } from './s3-trouble.ts'
import { createS3Upload } from './s3-upload.ts'
import type { S3Place } from './s3-uri.ts'
import { asStoreError, notAsStaged, StoreError } from './store-error.ts'

export interface S3StoreOptions {
  /** Folder of this machine where transfers write. */
  readonly stagingDir: string
  readonly reserveBytes?: number
  /** Default: parts of 64 MiB from 100 MiB on. */
  readonly parts?: PartSizes
}

export function openS3Store(sdk: S3Sdk, place: S3Place, options: S3StoreOptions): BlobStore {
  const { stagingDir, reserveBytes = DEFAULT_RESERVE_BYTES } = options
  const { bucket: Bucket, prefix } = place
  const client = createS3Client(sdk, place)
  const base = prefix === '' ? '' : `${prefix}/`
  const uri = `s3://${Bucket}/${prefix}`
  const keyOf = (sha256: string) => `${base}${blobPath(sha256)}`
  const upload = createS3Upload(sdk, client, Bucket, options.parts)
  try {
    mkdirSync(stagingDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw asStoreError(error, 'making the folder for transfers', stagingDir)
  }

  const tried = <T>(doing: string, work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw s3Trouble(error, doing, uri)
    })

  async function sizeOf(sha256: string): Promise<number | undefined> {
    const Key = keyOf(sha256)
    try {
      const head = await client.send(new sdk.HeadObjectCommand({ Bucket, Key }))
      return head.ContentLength ?? 0
    } catch (error) {
      if (statusOf(error) === 404) return undefined
      throw s3Trouble(error, 'looking for an object', uri)
    }
  }

  async function* bytesOf(sha256: string): AsyncGenerator<Uint8Array> {
    const got = await tried(
      'reading an object',
      client.send(new sdk.GetObjectCommand({ Bucket, Key: keyOf(sha256) })),
    )
    // In Node.js it is one; for browsers the package has other kinds.
    if (!(got.Body instanceof Readable)) return
    let bytes = 0
    for await (const chunk of got.Body) {
      if (!(chunk instanceof Uint8Array)) continue
      bytes += chunk.length
      yield chunk
    }
    if (got.ContentLength !== undefined && bytes !== got.ContentLength) {
      throw new StoreError({
        kind: 'transient',
        code: 'store_failed',
        message: `The store ${uri} sent ${bytes} bytes of an object of ${got.ContentLength}.`,
      })
    }
  }

  async function* listed(): AsyncGenerator<StoredBlob> {
    let token: string | undefined
    do {
      const page = await tried(
        'listing objects',
        client.send(
          new sdk.ListObjectsV2Command({
            Bucket,
            Prefix: `${base}${BLOB_FOLDER}/`,
            ContinuationToken: token,
          }),
        ),
      )
      for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
        const sha256 = hashOfBlobPath(Key.slice(base.length))
        if (sha256 === undefined) continue
        yield { sha256, bytes: Size, storedAtMs: LastModified?.getTime() ?? 0 }
      }
      token = page.NextContinuationToken
    } while (token !== undefined)
  }

  return {
    uri,
    tempDir: stagingDir,
    localDir: null,
    async put(file) {
      try {
        const found = await nodeDisk.sizeOf(file.path)
        if (found !== file.bytes) throw notAsStaged(file, found)
        const there = await sizeOf(file.sha256)
        if (there === file.bytes) return
        const sizeNow = () => sizeOf(file.sha256)
        const isNew = there === undefined
        await tried('storing an object', upload(keyOf(file.sha256), file, { isNew, sizeNow }))
      } finally {
        await nodeDisk.remove(file.path)
      }
    },
    async has(sha256) {
      const bytes = await sizeOf(sha256)
      return bytes === undefined ? undefined : { bytes }
    },
    open: (sha256) => Readable.from(bytesOf(sha256), { objectMode: false }),
    async remove(sha256) {
      await tried(
        'removing an object',
        client.send(new sdk.DeleteObjectCommand({ Bucket, Key: keyOf(sha256) })),
      )
    },
    list: listed,
    ensureSpace: (bytes) => ensureFreeSpace(nodeDisk, stagingDir, bytes, reserveBytes),
    close: () => client.destroy(),
  }
}
