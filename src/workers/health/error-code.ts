import { isGrpcServiceError } from '@temporalio/client'
import { RecordLinkerError } from '../../errors.ts'

/** gRPC's own names, by number. @see https://grpc.io/docs/guides/status-codes/ */
const GRPC_NAMES: Readonly<Record<number, string>> = {
  4: 'deadline_exceeded',
  5: 'not_found',
  7: 'permission_denied',
  8: 'resource_exhausted',
  14: 'unavailable',
  16: 'unauthenticated',
}

/** What to call an error where its message must not be shown: ours, Postgres's, gRPC's or the system's code. */
export function errorCode(error: unknown): string {
  if (error instanceof RecordLinkerError) return error.code
  if (isGrpcServiceError(error)) return `grpc_${GRPC_NAMES[error.code] ?? error.code}`
  if (!(error instanceof Error)) return 'unknown'
  if (!('code' in error) || typeof error.code !== 'string') return 'no_answer'
  return error.code
}
