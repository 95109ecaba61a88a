/** A body as text, with a limit on what it takes in memory, compressed or not. */
import { promisify, TextDecoder } from 'node:util'
import { brotliDecompress, gunzip } from 'node:zlib'
import { headerText, type ResponseHeaders } from '../core/retry-after.ts'

/** What we can read; sent as Accept-Encoding. */
export const acceptEncoding = 'gzip, br'

const decoders = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  br: promisify(brotliDecompress),
}

/** A body that cannot be read, though it arrived. */
class BodyError extends Error {
  readonly code: 'body_too_large' | 'bad_encoding'

  constructor(code: BodyError['code'], cause?: unknown) {
    super(code, { cause })
    this.name = 'BodyError'
    this.code = code
  }
}

/**
 * @param maxBytes Limit of the bytes received and, separately, of the bytes after decompression.
 * @throws BodyError, or what the stream throws; breaking off destroys the stream and with it its socket.
 */
export async function readBody(
  stream: AsyncIterable<Uint8Array>,
  headers: ResponseHeaders,
  maxBytes: number,
): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of stream) {
    length += chunk.length
    if (length > maxBytes) throw new BodyError('body_too_large')
    chunks.push(chunk)
  }
  const bytes = await decompress(Buffer.concat(chunks), headers, maxBytes)
  return decoderFor(headers).decode(bytes)
}

/** Enough to tell a picture from a page. */
export const bodyHeadBytes = 1024

/** The first bytes of a body that is not compressed, as text; the rest is not received. */
export async function readBodyHead(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= bodyHeadBytes) break
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, bodyHeadBytes))
}

async function decompress(
  bytes: Buffer,
  headers: ResponseHeaders,
  maxOutputLength: number,
): Promise<Buffer> {
  const encoding = (headerText(headers, 'content-encoding') ?? '').trim().toLowerCase()
  if (encoding === '' || encoding === 'identity' || bytes.length === 0) return bytes
  const decode = Object.entries(decoders).find(([name]) => name === encoding)?.[1]
  if (!decode) throw new BodyError('bad_encoding')
  try {
    return await decode(bytes, { maxOutputLength })
  } catch (error) {
    const tooLarge =
      error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    throw new BodyError(tooLarge ? 'body_too_large' : 'bad_encoding', error)
  }
}

/** UTF-8 unless the server names another charset that exists; a BOM is dropped. */
function decoderFor(headers: ResponseHeaders): TextDecoder {
  const charset = /charset=["']?([\w-]+)/i.exec(headerText(headers, 'content-type') ?? '')?.[1]
  try {
    return new TextDecoder(charset ?? 'utf-8')
  } catch {
    // A name no decoder has; JSON is UTF-8 by its own specification.
    return new TextDecoder()
  }
}
