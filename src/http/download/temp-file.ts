/** The file of one attempt while it comes: nobody else writes to it, and only its owner can read it. */
import { constants, type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DownloadError } from './download-error.ts'

/** As `open` of node:fs/promises. */
export type OpenFile = (path: string, flags: number, mode: number) => Promise<FileHandle>

export interface TempFile {
  readonly path: string
  /** Appends. @throws DownloadError `disk-full` */
  write(bytes: Uint8Array): Promise<void>
  /** Forgets what was written. */
  truncate(): Promise<void>
  /** Some bytes from a place, fewer at the end. */
  read(fromByte: number, bytes: number): Promise<Uint8Array>
  close(): Promise<void>
  /** Closes, and deletes it. */
  remove(): Promise<void>
}

/**
 * @param name without folder; `.part` is added, by which those left over are found
 * @throws DownloadError `disk-full`
 */
export async function createTempFile(
  dir: string,
  name: string,
  openFile: OpenFile = open,
): Promise<TempFile> {
  const path = join(dir, `${name}.part`)
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL
  const handle = await openFile(path, flags, 0o600).catch(diskFailure)
  let length = 0
  let isOpen = true
  const close = async (): Promise<void> => {
    if (!isOpen) return
    isOpen = false
    await handle.close()
  }
  return {
    path,
    async write(bytes) {
      for (let done = 0; done < bytes.length;) {
        const { bytesWritten } = await handle
          .write(bytes, done, bytes.length - done, length)
          .catch(diskFailure)
        done += bytesWritten
        length += bytesWritten
      }
    },
    async truncate() {
      await handle.truncate(0)
      length = 0
    },
    async read(fromByte, bytes) {
      const buffer = new Uint8Array(bytes)
      let done = 0
      while (done < bytes) {
        const { bytesRead } = await handle.read(buffer, done, bytes - done, fromByte + done)
        if (bytesRead === 0) break
        done += bytesRead
      }
      return buffer.subarray(0, done)
    },
    close,
    async remove() {
      await close()
      await rm(path, { force: true })
    },
  }
}

/** A full disk is no fault of the artifact: it is fetched again when there is space. */
function diskFailure(error: unknown): never {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error
  throw diskFull('The disk is full', error)
}

export function diskFull(found: string, cause?: unknown): DownloadError {
  return new DownloadError({
    reason: 'disk-full',
    message: `${found}; expected room for the file that is fetched.`,
    hint: 'Free space on the volume of the store, then resume the queue.',
    cause,
  })
}
