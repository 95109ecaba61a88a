import { pino, type Logger } from 'pino'
import type { LogLevel } from './config.ts'

export type { Logger } from 'pino'

/**
 * A log of JSON lines on stderr, so that stdout stays data.
 * @param name which process writes, e.g. `worker`
 */
export function createLog(name: string, level: LogLevel): Logger {
  const options = {
    name,
    level,
    timestamp: pino.stdTimeFunctions.isoTime,
    // The Temporal SDK says `error` where pino knows `err`.
    serializers: { error: pino.stdSerializers.err },
  }
  return pino(options, pino.destination(2))
}
