import { pino, type Logger } from 'pino'
import type { LogLevel } from './config.ts'

export type { Logger } from 'pino'

/**
 * A log of JSON lines on stderr, so that stdout stays data.
 * @param name which process writes, e.g. `worker`
 */
export function createLog(name: string, level: LogLevel): Logger {
  return pino({ name, level, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2))
}
