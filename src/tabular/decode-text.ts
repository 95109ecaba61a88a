import { StringDecoder } from 'node:string_decoder'
import { UsageError } from '../errors.ts'
import { decodeEscaping, unfinishedBytes } from './escaped-bytes.ts'

// What 0x80 to 0x9F mean in Windows-1252 (WHATWG). Written out: TextDecoder of several Node 20 to 24 releases reads
// them as Latin-1 (nodejs/node#56542).
const WINDOWS_1252_C1 =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
  '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178'

const ALIASES: Readonly<Record<string, string>> = {
  utf8: 'utf-8',
  utf16: 'utf-16le',
  'utf-16': 'utf-16le',
  latin1: 'windows-1252',
  'iso-8859-1': 'windows-1252',
  cp1252: 'windows-1252',
}

/**
 * The one name an encoding has here.
 * @throws UsageError `unknown_encoding`
 */
export function encodingName(label: string): string {
  const lower = label.trim().toLowerCase()
  const name = ALIASES[lower] ?? lower
  try {
    return name === 'utf-16be' ? name : new TextDecoder(name).encoding
  } catch (error) {
    throw new UsageError({
      code: 'unknown_encoding',
      message: `Encoding "${label}" is not known.`,
      hint: 'Expected utf-8, utf-16le, utf-16be, windows-1252, or a label of the WHATWG encoding standard such as shift_jis.',
      cause: error,
    })
  }
}

/**
 * Bytes to text without byte order marks at the start. Nothing is replaced: what cannot be decoded stays visible as a
 * lone surrogate (`escaped-bytes.ts`); encodings other than the four named ones are refused at the first such byte.
 * @throws UsageError `wrong_encoding`
 */
export async function* decodeText(
  chunks: AsyncIterable<Buffer>,
  encoding: string,
): AsyncGenerator<string> {
  let atStart = true
  for await (const text of decoded(chunks, encoding)) {
    const rest = atStart ? text.replace(/^\ufeff+/, '') : text
    if (rest === '') continue
    atStart = false
    yield rest
  }
}

function decoded(chunks: AsyncIterable<Buffer>, encoding: string): AsyncIterable<string> {
  switch (encoding) {
    case 'utf-8':
      return decodeUtf8(chunks)
    case 'utf-16le':
    case 'utf-16be':
      return decodeUtf16(chunks, encoding === 'utf-16be')
    case 'windows-1252':
      return decodeWindows1252(chunks)
    default:
      return decodeOther(chunks, encoding)
  }
}

async function* decodeUtf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const whole = bytes.length - unfinishedBytes(bytes)
    yield decodeEscaping(bytes.subarray(0, whole))
    rest = bytes.subarray(whole)
  }
  yield decodeEscaping(rest)
}

async function* decodeUtf16(
  chunks: AsyncIterable<Buffer>,
  bigEndian: boolean,
): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf16le')
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk])
    const whole = bytes.length - (bytes.length % 2)
    const pairs = bytes.subarray(0, whole)
    rest = bytes.subarray(whole)
    yield decoder.write(bigEndian ? pairs.swap16() : pairs)
  }
  // Half a code unit at the end of the file: kept visible as a lone surrogate, so its line is rejected.
  yield decoder.end() + (rest.length > 0 ? '\ud800' : '')
}

async function* decodeWindows1252(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  for await (const chunk of chunks) {
    yield chunk
      .toString('latin1')
      .replace(/[\x80-\x9f]/g, (char) => WINDOWS_1252_C1[char.charCodeAt(0) - 0x80] ?? char)
  }
}

async function* decodeOther(
  chunks: AsyncIterable<Buffer>,
  encoding: string,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  let linesBefore = 0
  try {
    for await (const chunk of chunks) {
      const text = decoder.decode(chunk, { stream: true })
      linesBefore += text.split('\n').length - 1
      yield text
    }
    yield decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError({
      code: 'wrong_encoding',
      message: `The file is not ${encoding}: a byte after line ${linesBefore + 1} has no meaning in it.`,
      hint: 'Give the right one with --encoding.',
      cause: error,
    })
  }
}
