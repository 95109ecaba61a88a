import { isPostgresAway } from '../db/is-postgres-away.ts'
import { RecordLinkerError, UnavailableError, UsageError } from '../errors.ts'
import { fileTroubleText, isFileTrouble } from '../file-trouble.ts'

// Wrong database, user or password: a person at the command line mends that, waiting does not.
const WRONG_ADDRESS = new Set(['3D000', '28000', '28P01'])
// Undefined table or column.
const OTHER_SCHEMA = new Set(['42P01', '42703'])
/** gRPC status of the Temporal client: DEADLINE_EXCEEDED (also after a sleep of the machine), RESOURCE_EXHAUSTED, UNAVAILABLE. */
const GRPC_UNREACHABLE = new Set<unknown>([4, 8, 14])
/** Disk full, of the system and of Postgres. */
const DISK_FULL = new Set(['ENOSPC', '53100'])

/** An error of a library as one of ours, where its meaning is known; any other comes back as it is. */
export function knownError(error: unknown): unknown {
  if (error instanceof RecordLinkerError || !(error instanceof Error)) return error
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error]
  // The Temporal client wraps the error of a call.
  const code = codeOf(first) ?? (first instanceof Error ? codeOf(first.cause) : undefined)
  const message = first instanceof Error ? first.message : error.message
  if (typeof code === 'string' && OTHER_SCHEMA.has(code)) {
    return new UnavailableError({
      code: 'schema_older',
      message: `The database has not the tables of this version: ${message}.`,
      hint: './record-linker migrate',
      cause: error,
    })
  }
  if (typeof code === 'string' && DISK_FULL.has(code)) {
    return new UnavailableError({
      code: 'disk_full',
      message: `No space is left${fullPlace(first, message)}.`,
      hint: 'Make room and run the command again; what was committed is kept.',
      cause: error,
    })
  }
  if (isFileTrouble(first)) {
    return new UsageError({
      code: 'file_not_usable',
      message: `${first.path} cannot be used: ${fileTroubleText(first)}.`,
      hint: 'Check that path and its permissions, or give another.',
      cause: error,
    })
  }
  const cause = first instanceof Error ? first.cause : undefined
  const isUnreachable = isPostgresAway(first) || isPostgresAway(cause) || GRPC_UNREACHABLE.has(code)
  if (isUnreachable || (typeof code === 'string' && WRONG_ADDRESS.has(code))) {
    return new UnavailableError({
      code: 'server_unreachable',
      message: `A server does not answer: ${message}`,
      hint: './record-linker doctor',
      cause: error,
    })
  }
  return error
}

/** The system's own message quotes a call; Postgres says what it could not write. */
function fullPlace(error: unknown, message: string): string {
  if (codeOf(error) !== 'ENOSPC') return `: ${message}`
  return error instanceof Error && 'path' in error ? ` for ${String(error.path)}` : ' on the disk'
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
