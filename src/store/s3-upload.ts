import { createReadStream } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { S3Client } from '@aws-sdk/client-s3'
import type { StagedFile } from './blob-store.ts'
import type { S3Sdk } from './s3-client.ts'
import { createS3Multipart, defaultPartSizes } from './s3-multipart.ts'
import { statusOf } from './s3-trouble.ts'
import { StoreError } from './store-error.ts'

/** The client cannot send a stream twice (aws/aws-sdk-js-v3#6770), so it is opened anew here. */
const TRIES = 3
const PAUSE_MS = 200
/** The most that an object may have. */
const LARGEST_BYTES = 5 * 2 ** 40

/** Somebody else wrote the object at the same time. */
const CONFLICTS: readonly (number | undefined)[] = [409, 412]
/** What stores say that know no conditional writes. */
const NOT_KNOWN: readonly (number | undefined)[] = [400, 501]

export interface ObjectNow {
  /** It was not there. One of another size is not whole, and to be replaced. */
  readonly isNew: boolean
  /** How many bytes it has by now; undefined: it is not there. */
  readonly sizeNow: () => Promise<number | undefined>
}

/** Uploads a file with its length, and where the store can say so itself, only if the object is not there. */
export function createS3Upload(
  sdk: S3Sdk,
  client: S3Client,
  Bucket: string,
  { fromBytes, partBytes } = defaultPartSizes,
) {
  const uploadParts = createS3Multipart(sdk, client, Bucket)
  let knowsConditions = true

  return async function upload(
    Key: string,
    file: StagedFile,
    { isNew, sizeNow }: ObjectNow,
  ): Promise<void> {
    if (file.bytes > LARGEST_BYTES) throw tooLarge(file.bytes)
    let isConditional = knowsConditions && isNew
    for (let attempt = 1; ; attempt += 1) {
      try {
        await send(Key, file, isConditional)
        return
      } catch (error) {
        const status = statusOf(error)
        if (isConditional && NOT_KNOWN.includes(status)) {
          knowsConditions = false
          isConditional = false
          continue
        }
        if (CONFLICTS.includes(status) && (await sizeNow()) === file.bytes) return
        const isLater =
          status === undefined || status >= 500 || CONFLICTS.includes(status) || status === 429
        if (!isLater || status === 507 || attempt === TRIES) throw error
        if (CONFLICTS.includes(status)) isConditional = false
        await sleep(PAUSE_MS * attempt)
      }
    }
  }

  async function send(Key: string, file: StagedFile, isConditional: boolean): Promise<void> {
    if (file.bytes >= fromBytes) return uploadParts({ Key, file, partBytes, isConditional })
    const Body = createReadStream(file.path)
    try {
      await client.send(
        new sdk.PutObjectCommand({
          Bucket,
          Key,
          Body,
          ContentLength: file.bytes,
          ...(file.type === null ? {} : { ContentType: file.type }),
          ...(isConditional ? { IfNoneMatch: '*' } : {}),
        }),
      )
    } finally {
      Body.destroy()
    }
  }
}

function tooLarge(bytes: number): StoreError {
  return new StoreError({
    kind: 'permanent',
    code: 'too_large_for_store',
    message: `A file of ${bytes} bytes is to be stored; a store on S3 takes at most ${LARGEST_BYTES}.`,
    hint: 'Use a store of files for such: file:///folder',
  })
}
