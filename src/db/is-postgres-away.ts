/**
 * Connection lost (08), out of resources (53), stopping or starting (57P).
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const SQLSTATE = /^(?:08|53|57P)/
const SOCKET = /^(?:ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)/
/** The driver's own, which have no code. */
const MESSAGE =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/i

/** Postgres, or the way to it, is away or refuses for now: whoever waits gets through later. */
export function isPostgresAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return SQLSTATE.test(code) || SOCKET.test(code) || MESSAGE.test(error.message)
}
