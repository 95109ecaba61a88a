/**
 * Bytes that are no valid UTF-8 travel as lone surrogates: byte 0xE9 becomes U+DCE9, which no valid text contains. So
 * nothing is ever replaced silently: a line that holds one can be found, refused, and written out with its own bytes.
 * (Python's `surrogateescape`, PEP 383.)
 */
import { isUtf8 } from 'node:buffer'

const ESCAPE_BASE = 0xdc00
// In Unicode mode a surrogate matches only where it stands alone.
const LONE_SURROGATE = /\p{Surrogate}/u
const LONE_SURROGATES = /\p{Surrogate}/gu

/** Decodes UTF-8; each byte that is not part of a valid character becomes a lone surrogate. */
export function decodeEscaping(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  let text = ''
  let validFrom = 0
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes[at] ?? 0)
    if (length > 0 && at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length))) {
      at += length
      continue
    }
    text += bytes.toString('utf8', validFrom, at)
    text += String.fromCharCode(ESCAPE_BASE + (bytes[at] ?? 0))
    at += 1
    validFrom = at
  }
  return text + bytes.toString('utf8', validFrom)
}

/** Bytes at the end that begin a character whose rest has not come yet, 0 to 3. */
export function unfinishedBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (sequenceLength(byte) > back) return back
    if (byte >> 6 !== 0b10) return 0
  }
  return 0
}

/** UTF-8 with escaped bytes as they were; other lone surrogates are spelt out (`\ud800`). */
export function encodeEscaped(text: string): Buffer {
  if (!LONE_SURROGATE.test(text)) return Buffer.from(text)
  const parts: Buffer[] = []
  let from = 0
  for (const match of text.matchAll(LONE_SURROGATES)) {
    const code = match[0].charCodeAt(0)
    parts.push(Buffer.from(text.slice(from, match.index)))
    parts.push(
      isEscapedByte(code) ? Buffer.of(code - ESCAPE_BASE) : Buffer.from(`\\u${code.toString(16)}`),
    )
    from = match.index + 1
  }
  parts.push(Buffer.from(text.slice(from)))
  return Buffer.concat(parts)
}

/** Why a text cannot be stored as it is; null: it can. */
export function textFault(text: string): string | null {
  if (text.includes('\0')) return 'contains a NUL character (U+0000), which a database cannot hold'
  const lone = LONE_SURROGATE.exec(text)
  if (lone === null) return null
  const code = lone[0].charCodeAt(0)
  return isEscapedByte(code)
    ? `is not valid UTF-8: byte 0x${(code - ESCAPE_BASE).toString(16).toUpperCase()}`
    : `contains half a character (lone surrogate U+${code.toString(16).toUpperCase()})`
}

function isEscapedByte(code: number): boolean {
  return code >= ESCAPE_BASE + 0x80 && code <= ESCAPE_BASE + 0xff
}

/** Length in bytes of the UTF-8 character that a byte starts; 0: it starts none. */
function sequenceLength(byte: number): number {
  if (byte < 0x80) return 1
  if (byte >= 0xc2 && byte < 0xe0) return 2
  if (byte >= 0xe0 && byte < 0xf0) return 3
  if (byte >= 0xf0 && byte < 0xf5) return 4
  return 0
}
