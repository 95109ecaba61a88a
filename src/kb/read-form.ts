import { ServiceError } from './service-error.ts'

const BODY_BYTES = 4 * 1024 * 1024
const FORM = 'application/x-www-form-urlencoded'

/**
 * The fields of a request's body. It is read here and not by hono's `bodyLimit`, which cannot hand on a body without
 * Content-Length (sent in chunks) on this server.
 * @throws ServiceError 413 for more than 4 MiB, 415 for what is no form
 */
export async function readForm({ headers, body }: Request): Promise<URLSearchParams> {
  if (Number(headers.get('Content-Length') ?? 0) > BODY_BYTES) throw tooLarge()
  const type = headers.get('Content-Type') ?? FORM
  if (type.split(';')[0]?.trim().toLowerCase() !== FORM) {
    throw new ServiceError(415, `Got ${type}; expected ${FORM} with a field \`queries\`.`)
  }
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body ?? []) {
    bytes += piece.byteLength
    if (bytes > BODY_BYTES) throw tooLarge()
    pieces.push(piece)
  }
  return new URLSearchParams(Buffer.concat(pieces).toString('utf8'))
}

function tooLarge(): ServiceError {
  return new ServiceError(413, `The body is larger than ${BODY_BYTES} bytes.`, {
    maxBytes: BODY_BYTES,
  })
}
