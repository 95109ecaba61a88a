/** An uploaded file: kept on disk while it is read, for it is read more than once and may be larger than memory. */
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** @param name only its last part is used, and shown */
export async function withUpload<T>(
  body: ReadableStream<Uint8Array>,
  name: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'record-linker-upload-'))
  try {
    const path = join(folder, uploadName(name))
    await pipeline(Readable.fromWeb(body), createWriteStream(path, { mode: 0o600 }))
    return await use(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Only the last part of a name, and only what no file system minds. */
export function uploadName(name: string): string {
  const last = basename(name.replaceAll('\\', '/')).replace(/[^\p{L}\p{N}._ -]/gu, '_')
  return /^\.*$/.test(last) ? 'upload' : last.slice(-100)
}
