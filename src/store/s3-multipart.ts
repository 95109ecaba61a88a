/**
 * Uploads a large file in parts, each of which can be sent again alone. An object appears when the last call says so, whole
 * or not at all; what was begun and cannot be ended is given up, since stores charge for it.
 */
import { createReadStream } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CompletedPart, S3Client } from '@aws-sdk/client-s3'
import type { StagedFile } from './blob-store.ts'
import type { S3Sdk } from './s3-client.ts'
import { statusOf } from './s3-trouble.ts'
import { StoreError } from './store-error.ts'

const MIB = 2 ** 20
/** S3 takes so many parts. */
const MOST_PARTS = 10_000
const TRIES = 4
const PAUSE_MS = 200

export interface PartSizes {
  /** Smaller files go in one request. */
  readonly fromBytes: number
  /** At least 5 MiB for Amazon's; larger where there would be too many. */
  readonly partBytes: number
}

export const defaultPartSizes: PartSizes = { fromBytes: 100 * MIB, partBytes: 64 * MIB }

export interface MultipartWish {
  readonly Key: string
  readonly file: StagedFile
  readonly partBytes: number
  /** Only if the object is not there. */
  readonly isConditional: boolean
}

/** @throws what the client throws, StoreError `store_failed` */
export function createS3Multipart(sdk: S3Sdk, client: S3Client, Bucket: string) {
  return async function upload({ Key, file, partBytes, isConditional }: MultipartWish) {
    const { UploadId } = await client.send(
      new sdk.CreateMultipartUploadCommand({
        Bucket,
        Key,
        ...(file.type === null ? {} : { ContentType: file.type }),
      }),
    )
    const place = { Bucket, Key, UploadId }
    try {
      const Parts = await sendParts(place, file, sizeOfParts(file.bytes, partBytes))
      await client.send(
        new sdk.CompleteMultipartUploadCommand({
          ...place,
          MultipartUpload: { Parts },
          ...(isConditional ? { IfNoneMatch: '*' } : {}),
        }),
      )
    } catch (error) {
      // A store that does not hear it drops what was begun by its own rules, if it has any.
      await client.send(new sdk.AbortMultipartUploadCommand(place)).catch(() => undefined)
      throw error
    }
    const { ContentLength } = await client.send(new sdk.HeadObjectCommand({ Bucket, Key }))
    if (ContentLength === file.bytes) return
    // Seen with parts that failed and were sent again (aws/aws-sdk-js-v3#2311).
    throw new StoreError({
      kind: 'transient',
      code: 'store_failed',
      message: `The store has ${ContentLength ?? 0} bytes of a file of ${file.bytes} that was sent in parts; expected all of them.`,
    })
  }

  async function sendParts(
    place: { readonly Bucket: string; readonly Key: string; readonly UploadId: string | undefined },
    file: StagedFile,
    partBytes: number,
  ): Promise<CompletedPart[]> {
    const parts: CompletedPart[] = []
    for (let start = 0; start < file.bytes; start += partBytes) {
      const PartNumber = parts.length + 1
      const ContentLength = Math.min(partBytes, file.bytes - start)
      const { ETag } = await again(async () => {
        const end = start + ContentLength - 1
        const Body = createReadStream(file.path, { start, end })
        try {
          return await client.send(
            new sdk.UploadPartCommand({ ...place, PartNumber, Body, ContentLength }),
          )
        } finally {
          Body.destroy()
        }
      })
      parts.push({ PartNumber, ETag })
    }
    return parts
  }
}

/** @returns of a part, bytes: whole MiB where there would be too many else */
export function sizeOfParts(bytes: number, partBytes: number): number {
  const least = Math.ceil(bytes / MOST_PARTS)
  return least <= partBytes ? partBytes : Math.ceil(least / MIB) * MIB
}

async function again<T>(send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send()
    } catch (error) {
      const status = statusOf(error)
      const isLater = status === undefined || (status >= 500 && status !== 507) || status === 429
      if (!isLater || attempt === TRIES) throw error
      await sleep(PAUSE_MS * attempt)
    }
  }
}
