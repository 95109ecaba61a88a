import { pino, type Logger } from 'pino'
import type { LogLevel } from './config.ts'
import { errorWithoutData, framesOf } from './errors.ts'

export type { Logger } from 'pino'

/**
 * A log of JSON lines on stderr, so that stdout stays data. Of errors it keeps no message that may quote a record.
 * @param name which process writes, e.g. `worker`
 */
export function createLog(name: string, level: LogLevel): Logger {
  const options = {
    name,
    level,
    timestamp: pino.stdTimeFunctions.isoTime,
    // The Temporal SDK says `error` where pino knows `err`.
    serializers: { err: loggedError, error: loggedError },
  }
  return pino(options, pino.destination(2))
}

/** An error and its causes as the log keeps them. */
export function loggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, cause } = error
  return {
    type: name,
    message: mayQuote(error) ? errorWithoutData(error) : message,
    stack: framesOf(error).join('\n'),
    ...(cause === undefined ? {} : { cause: loggedError(cause) }),
  }
}

/** Errors of Postgres name the value they refuse, parsers the text they cannot read. */
function mayQuote(error: Error): boolean {
  return error instanceof SyntaxError || error.name === 'ZodError' || 'severity' in error
}
