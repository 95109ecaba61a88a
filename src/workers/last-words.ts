import type { Logger } from '../log.ts'

/** A defect that nobody caught ends the process as before, but goes through the log, which keeps no cell text. */
export function logLastWords(log: Logger): void {
  process.once('uncaughtException', (error) => {
    log.fatal({ err: error }, 'The worker ended by an error that nobody caught.')
    process.exit(1)
  })
}
