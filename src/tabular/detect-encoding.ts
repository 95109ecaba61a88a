import { isAscii, isUtf8 } from 'node:buffer'
import { unfinishedBytes } from './escaped-bytes.ts'

export interface DetectedEncoding {
  readonly encoding: string
  /** Why, for people: `byte order mark`, `every byte fits`, … */
  readonly because: string
}

const HEAD_BYTES = 4096

/**
 * Finds the encoding by reading everything once: the first accent may stand in the last line.
 * - a byte order mark, or the zero bytes of unmarked UTF-16, decide at once;
 * - all valid UTF-8: UTF-8;
 * - else whichever explains more: a text with more valid multi-byte characters than invalid bytes is UTF-8 with
 *   damaged lines (they are rejected one by one), any other is Windows-1252, where every byte is a character.
 */
export async function detectEncoding(chunks: AsyncIterable<Buffer>): Promise<DetectedEncoding> {
  let first = true
  let rest: Buffer = Buffer.alloc(0)
  const seen = { characters: 0, invalid: 0 }
  for await (const chunk of chunks) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    if (first && bytes.length < 4) {
      rest = bytes
      continue
    }
    if (first) {
      const marked = fromMark(bytes) ?? fromZeroBytes(bytes.subarray(0, HEAD_BYTES))
      if (marked !== null) return marked
      first = false
    }
    const whole = bytes.length - unfinishedBytes(bytes)
    count(bytes.subarray(0, whole), seen)
    rest = bytes.subarray(whole)
  }
  if (first) {
    const marked = fromMark(rest)
    if (marked !== null) return marked
  }
  count(rest, seen)
  if (seen.invalid === 0) return { encoding: 'utf-8', because: 'every byte fits' }
  return seen.characters > seen.invalid
    ? { encoding: 'utf-8', because: `but for ${seen.invalid} of its bytes` }
    : { encoding: 'windows-1252', because: 'it is not UTF-8' }
}

function fromMark(bytes: Buffer): DetectedEncoding | null {
  const because = 'byte order mark'
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    return { encoding: 'utf-8', because }
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', because }
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', because }
  return null
}

// Half of the bytes of Latin text in UTF-16 are zero, and always on the same side.
function fromZeroBytes(head: Buffer): DetectedEncoding | null {
  const zeros = { even: 0, odd: 0 }
  head.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2 === 0 ? 'even' : 'odd'] += 1
  })
  const many = head.length / 8
  const because = 'zero bytes'
  if (zeros.odd > many && zeros.even * 10 < zeros.odd) return { encoding: 'utf-16le', because }
  if (zeros.even > many && zeros.odd * 10 < zeros.even) return { encoding: 'utf-16be', because }
  return null
}

function count(bytes: Buffer, seen: { characters: number; invalid: number }): void {
  if (isAscii(bytes)) return
  const valid = isUtf8(bytes)
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at] ?? 0
    if (byte < 0x80) {
      at += 1
      continue
    }
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    if (valid || isUtf8(bytes.subarray(at, at + length))) {
      seen.characters += 1
      at += length
    } else {
      seen.invalid += 1
      at += 1
    }
  }
}
