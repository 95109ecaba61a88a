/** The one table of exit codes, and how an error is told to people. */
import { CommanderError } from 'commander'
import { errorWithoutData, RecordLinkerError, UnavailableError, UsageError } from '../errors.ts'
import { knownError } from './known-errors.ts'

export const exitCodes = {
  done: 0,
  /** The job failed, or an error nobody expected. */
  failed: 1,
  /** Wrong command, option, file or setting; unknown project. */
  usage: 2,
  /** Finished, but some records (of an import: lines) failed. */
  failedRecords: 3,
  /** A server of ours cannot be reached. */
  unreachable: 4,
  /** Ctrl-C; a match goes on without us. */
  interrupted: 130,
} as const

export function exitCodeOf(error: unknown): number {
  // Commander gives 1 for wrong usage and 0 for help.
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  if (isAbort(error)) return exitCodes.interrupted
  const known = knownError(error)
  if (known instanceof UsageError) return exitCodes.usage
  if (known instanceof UnavailableError) return exitCodes.unreachable
  return exitCodes.failed
}

/** Lines for stderr; empty where the error has been told already. */
export function errorText(error: unknown): string {
  if (error instanceof CommanderError) return ''
  if (isAbort(error)) return 'Interrupted.'
  const known = knownError(error)
  if (known instanceof RecordLinkerError) {
    const hint = known.hint === undefined ? '' : `\n  ${known.hint.replaceAll('\n', '\n  ')}`
    return `error: ${known.message}${hint}\n  [${known.code}]`
  }
  return `unexpected error: ${errorWithoutData(error)}`
}

/** Ctrl-C. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}
