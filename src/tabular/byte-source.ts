import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { UsageError } from '../errors.ts'
import { notReadable } from '../file-trouble.ts'

/** Told how many stored bytes each step has read. */
export type OnRead = (bytes: number) => void

/** Something that can be read from its start as often as wanted: detection reads it before the import does. */
export interface ByteSource {
  /** Shown to people, and looked at for its ending. */
  readonly name: string
  /** Bytes of the whole as stored; null: not known. */
  readonly sizeBytes: number | null
  readonly open: (onRead?: OnRead) => AsyncIterable<Buffer>
}

/**
 * A file, unpacked on the way when it is gzipped.
 * @throws UsageError `file_not_readable`
 */
export async function fileSource(path: string): Promise<ByteSource> {
  const { head, sizeBytes } = await readHead(path)
  const zipped = head[0] === 0x1f && head[1] === 0x8b
  return {
    name: zipped ? basename(path).replace(/\.gz$/i, '') : basename(path),
    sizeBytes,
    open: (onRead = () => undefined) =>
      zipped ? unzipped(path, onRead) : fileChunks(path, onRead),
  }
}

async function* fileChunks(path: string, onRead: OnRead): AsyncGenerator<Buffer> {
  const stream = createReadStream(path) as AsyncIterable<Buffer>
  try {
    for await (const chunk of stream) {
      onRead(chunk.length)
      yield chunk
    }
  } catch (error) {
    throw notReadable(path, error)
  }
}

async function* unzipped(path: string, onRead: OnRead): AsyncGenerator<Buffer> {
  const gunzip = createGunzip()
  // Either stream's error reaches the loop below through gunzip.
  pipeline(Readable.from(fileChunks(path, onRead)), gunzip, () => undefined)
  try {
    yield* gunzip as AsyncIterable<Buffer>
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError({
      code: 'broken_gzip',
      message: `${path} is not a whole gzip file: ${String(error)}`,
      hint: 'Copy or download it again.',
      cause: error,
    })
  }
}

/** Text that is in memory already. */
export function textSource(name: string, text: string): ByteSource {
  const bytes = Buffer.from(text)
  return {
    name,
    sizeBytes: bytes.length,
    open: (onRead = () => undefined) => {
      onRead(bytes.length)
      return Readable.from([bytes])
    },
  }
}

async function readHead(path: string): Promise<{ head: Buffer; sizeBytes: number }> {
  try {
    const file = await open(path)
    try {
      const stat = await file.stat()
      if (stat.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' })
      const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
      return { head: buffer.subarray(0, bytesRead), sizeBytes: stat.size }
    } finally {
      await file.close()
    }
  } catch (error) {
    throw notReadable(path, error)
  }
}
