/**
 * Names of files that are being written. No two attempts share one, and the token tells whose it is: what lies there
 * without a running attempt of that token is an orphan.
 */
const PART = /^(?<of>[A-Za-z0-9_-]+)\.(?<token>[A-Za-z0-9_-]+)\.part$/

/** @param of what is written, an id of a job for example; letters, digits, `_` and `-` only, like the token */
export function partName(of: string | number, token: string): string {
  const name = `${of}.${token}.part`
  if (!PART.test(name)) throw new TypeError(`expected letters and digits, found "${name}"`)
  return name
}

/** The token in a name of that kind; undefined: it is another file. */
export function tokenOfPart(name: string): string | undefined {
  return PART.exec(name)?.groups?.['token']
}

const TRANSFER = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.\d+(?:-decoded)?\.part$/

/** Whether a job of a queue wrote it: such a name begins with the token of the attempt. */
export function isTransferOfJob(name: string): boolean {
  return TRANSFER.test(name)
}
