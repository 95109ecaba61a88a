import { errorWithoutData } from '../errors.ts'
import { StoreError } from './store-error.ts'

/** Names that stores give to a full disk or a used up quota. */
const FULL: ReadonlySet<string> = new Set([
  'QuotaExceeded',
  'StorageFull',
  'XMinioStorageFull',
  'InsufficientStorage',
  'EntityTooLargeForQuota',
])
const INSUFFICIENT_STORAGE = 507

/** The status of an answer; undefined: none came. */
export function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('$metadata' in error)) return undefined
  const metadata: unknown = error.$metadata
  if (typeof metadata !== 'object' || metadata === null) return undefined
  const status = 'httpStatusCode' in metadata ? metadata.httpStatusCode : undefined
  return typeof status === 'number' ? status : undefined
}

/** What a failed call means; the text of the store itself is not shown, as it may repeat what was sent. */
export function s3Trouble(error: unknown, doing: string, uri: string): StoreError {
  if (error instanceof StoreError) return error
  const status = statusOf(error)
  const name = error instanceof Error ? error.name : 'unknown'
  if (status === INSUFFICIENT_STORAGE || FULL.has(name)) {
    return new StoreError({
      kind: 'disk',
      code: 'disk_full',
      message: `The store ${uri} is full: ${name} on ${doing}.`,
      hint: 'Make room there, then run: ./record-linker queue resume',
      cause: error,
    })
  }
  const isForGood =
    status !== undefined && status >= 400 && status < 500 && ![408, 409, 429].includes(status)
  const isWithoutKeys = name === 'CredentialsProviderError'
  return new StoreError({
    kind: isForGood || isWithoutKeys ? 'permanent' : 'transient',
    code: 'store_failed',
    message: `The store ${uri} failed on ${doing}: ${name}${status === undefined ? `, ${errorWithoutData(error)}` : `, status ${status}`}.`,
    ...(isForGood || isWithoutKeys
      ? {
          hint: 'Check bucket, endpoint and region of the store, and the AWS_* variables with its keys.',
        }
      : {}),
    cause: error,
  })
}
