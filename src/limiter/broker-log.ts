/** The part of a pino logger a broker uses. */
export interface BrokerLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}
