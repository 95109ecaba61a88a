/**
 * The parts of a zip file that is in memory packed; each part is unpacked as a stream, up to a limit. Only what
 * spreadsheets use: stored and deflated parts, Zip64 sizes, no encryption. (PKWARE APPNOTE 6.3.10)
 */
import { pipeline, Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import type { OnRead } from '../byte-source.ts'
import { brokenXlsx, tooLargeXlsx } from './broken-xlsx.ts'

export interface ZipArchive {
  readonly names: readonly string[]
  /**
   * @param mostBytes unpacked; more is an error, whatever the file says of its size
   * @throws UsageError `broken_xlsx`, `xlsx_too_large`
   */
  readonly open: (name: string, mostBytes: number, onRead?: OnRead) => AsyncGenerator<Buffer>
}

interface Entry {
  readonly name: string
  readonly method: number
  readonly isEncrypted: boolean
  readonly crc: number
  readonly packedBytes: number
  readonly headerAt: number
}

const END_RECORD = 0x06054b50
const END_RECORD_BYTES = 22
const ZIP64_LOCATOR = 0x07064b50
const ZIP64_LOCATOR_BYTES = 20
const ZIP64_END_RECORD = 0x06064b50
const CENTRAL_HEADER = 0x02014b50
const CENTRAL_HEADER_BYTES = 46
const LOCAL_HEADER = 0x04034b50
const LOCAL_HEADER_BYTES = 30
const LONGEST_COMMENT_BYTES = 65_535
const STORED = 0
const DEFLATED = 8
const ZIP64_EXTRA = 1
const IN_ZIP64 = 0xffffffff
/** Spreadsheets have dozens. */
const MOST_PARTS = 10_000
const PIECE_BYTES = 64 * 1024

/**
 * @param file for messages
 * @throws UsageError `broken_xlsx`
 */
export function openZip(file: string, bytes: Buffer): ZipArchive {
  const entries = new Map(readDirectory(file, bytes).map((entry) => [entry.name, entry]))
  return {
    names: [...entries.keys()],
    async *open(name, mostBytes, onRead = () => undefined) {
      const entry = entries.get(name)
      if (entry === undefined) throw brokenXlsx(file, `lacks its part ${name}`)
      let unpackedBytes = 0
      let crc = 0
      for await (const chunk of unpack(file, bytes, entry, onRead)) {
        unpackedBytes += chunk.length
        if (unpackedBytes > mostBytes) {
          const most = Math.round(mostBytes / 1024 / 1024)
          throw tooLargeXlsx(file, `has a part (${name}) of more than ${most} MB unpacked`)
        }
        crc = crc32(chunk, crc)
        yield chunk
      }
      if (crc !== entry.crc) throw brokenXlsx(file, `is damaged: the checksum of ${name} is wrong`)
    },
  }
}

async function* unpack(
  file: string,
  bytes: Buffer,
  entry: Entry,
  onRead: OnRead,
): AsyncGenerator<Buffer> {
  const packed = packedPieces(packedBytes(file, bytes, entry), onRead)
  if (entry.method === STORED) {
    yield* packed
    return
  }
  const inflate = createInflateRaw()
  // Either stream's error reaches the loop below through inflate.
  pipeline(Readable.from(packed), inflate, () => undefined)
  try {
    yield* inflate as AsyncIterable<Buffer>
  } catch (error) {
    throw brokenXlsx(file, `is damaged: its part ${entry.name} cannot be unpacked`, error)
  }
}

function* packedPieces(packed: Buffer, onRead: OnRead): Generator<Buffer> {
  for (let at = 0; at < packed.length; at += PIECE_BYTES) {
    const piece = packed.subarray(at, at + PIECE_BYTES)
    onRead(piece.length)
    yield piece
  }
}

function packedBytes(file: string, bytes: Buffer, entry: Entry): Buffer {
  const { headerAt, method, isEncrypted, packedBytes } = entry
  if (isEncrypted || (method !== STORED && method !== DEFLATED)) {
    throw brokenXlsx(file, `is packed in a way that cannot be read (method ${method})`)
  }
  if (!has(bytes, headerAt, LOCAL_HEADER_BYTES, LOCAL_HEADER)) {
    throw brokenXlsx(file, `is cut off or damaged: ${entry.name} is not where it should be`)
  }
  const start =
    headerAt +
    LOCAL_HEADER_BYTES +
    bytes.readUInt16LE(headerAt + 26) +
    bytes.readUInt16LE(headerAt + 28)
  if (start + packedBytes > bytes.length) throw brokenXlsx(file, 'is cut off')
  return bytes.subarray(start, start + packedBytes)
}

function readDirectory(file: string, bytes: Buffer): readonly Entry[] {
  const { count, start } = directoryPlace(file, bytes)
  if (count > MOST_PARTS) throw brokenXlsx(file, `has ${count} parts, expected some dozens`)
  const entries: Entry[] = []
  let at = start
  for (let index = 0; index < count; index += 1) {
    if (!has(bytes, at, CENTRAL_HEADER_BYTES, CENTRAL_HEADER)) {
      throw brokenXlsx(file, 'is cut off or damaged: its list of parts cannot be read')
    }
    const nameBytes = bytes.readUInt16LE(at + 28)
    const extraBytes = bytes.readUInt16LE(at + 30)
    const nameAt = at + CENTRAL_HEADER_BYTES
    const extra = bytes.subarray(nameAt + nameBytes, nameAt + nameBytes + extraBytes)
    const sizes = [24, 20, 42].map((offset) => bytes.readUInt32LE(at + offset))
    const [, packed = 0, headerAt = 0] = withZip64(sizes, extra)
    entries.push({
      // Some writers use the separator of Windows.
      name: bytes.toString('utf8', nameAt, nameAt + nameBytes).replaceAll('\\', '/'),
      method: bytes.readUInt16LE(at + 10),
      isEncrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      crc: bytes.readUInt32LE(at + 16),
      packedBytes: packed,
      headerAt,
    })
    at = nameAt + nameBytes + extraBytes + bytes.readUInt16LE(at + 32)
  }
  return entries
}

function directoryPlace(file: string, bytes: Buffer): { count: number; start: number } {
  const least = Math.max(0, bytes.length - END_RECORD_BYTES - LONGEST_COMMENT_BYTES)
  for (let at = bytes.length - END_RECORD_BYTES; at >= least; at -= 1) {
    if (!has(bytes, at, END_RECORD_BYTES, END_RECORD)) continue
    const locatorAt = at - ZIP64_LOCATOR_BYTES
    if (has(bytes, locatorAt, ZIP64_LOCATOR_BYTES, ZIP64_LOCATOR)) {
      const recordAt = Number(bytes.readBigUInt64LE(locatorAt + 8))
      if (!has(bytes, recordAt, 56, ZIP64_END_RECORD)) break
      return {
        count: Number(bytes.readBigUInt64LE(recordAt + 32)),
        start: Number(bytes.readBigUInt64LE(recordAt + 48)),
      }
    }
    return { count: bytes.readUInt16LE(at + 10), start: bytes.readUInt32LE(at + 16) }
  }
  throw brokenXlsx(file, 'is cut off: the end of the file is missing')
}

/** Sizes of 4 GB and more stand in an extra field, in the order of those that do not fit. */
function withZip64(sizes: readonly number[], extra: Buffer): readonly number[] {
  if (!sizes.includes(IN_ZIP64)) return sizes
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== ZIP64_EXTRA) continue
    let next = at + 4
    return sizes.map((size) => {
      if (size !== IN_ZIP64 || next + 8 > extra.length) return size
      next += 8
      return Number(extra.readBigUInt64LE(next - 8))
    })
  }
  return sizes
}

function has(bytes: Buffer, at: number, length: number, signature: number): boolean {
  return at >= 0 && at + length <= bytes.length && bytes.readUInt32LE(at) === signature
}
