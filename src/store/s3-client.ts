/** The client of S3, which is loaded only where a store of that kind is configured: it is large. */
import type * as Sdk from '@aws-sdk/client-s3'
import { UsageError } from '../errors.ts'
import type { S3Place } from './s3-uri.ts'

export type S3Sdk = typeof Sdk

/** The version that this program was tried with. */
const WANTED = '@aws-sdk/client-s3@3'

const CONNECT_MS = 10_000
/** Without a byte in either direction. */
const IDLE_MS = 60_000

/** @throws UsageError `s3_not_installed` */
export async function loadS3Sdk(
  load: () => Promise<S3Sdk> = () => import('@aws-sdk/client-s3'),
): Promise<S3Sdk> {
  try {
    return await load()
  } catch (cause) {
    if (!isMissing(cause)) throw cause
    throw new UsageError({
      code: 's3_not_installed',
      message: 'A store on S3 is configured, and the package that speaks with S3 is not installed.',
      hint: `npm install ${WANTED}`,
      cause,
    })
  }
}

/** What it would print on its own goes to the caller as an error anyhow. */
const SILENT = {
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}

/** Region and keys come from the usual environment (AWS_REGION, AWS_ACCESS_KEY_ID, profiles, roles) unless given. */
export function createS3Client(sdk: S3Sdk, place: S3Place): Sdk.S3Client {
  return new sdk.S3Client({
    forcePathStyle: place.pathStyle,
    ...(place.region === undefined ? {} : { region: place.region }),
    // Compatible stores know no regions; a signature needs some word there.
    ...(place.endpoint === undefined
      ? {}
      : {
          endpoint: place.endpoint,
          ...(place.region === undefined ? { region: 'us-east-1' } : {}),
        }),
    // Many compatible stores refuse or spoil checksums that they do not know (aws/aws-sdk-js-v3#6810).
    ...(place.endpoint === undefined
      ? {}
      : {
          requestChecksumCalculation: 'WHEN_REQUIRED' as const,
          responseChecksumValidation: 'WHEN_REQUIRED' as const,
        }),
    logger: SILENT,
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: IDLE_MS },
  })
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
}
