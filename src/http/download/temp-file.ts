/** The file of one attempt while it comes: nobody else writes to it, and only its owner can read it. */
import { constants, type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DownloadError } from './download-error.ts'

/** As `open` of node:fs/promises. */
export type OpenFile = (path: string, flags: number, mode: number) => Promise<FileHandle>

export interface TempFile {
  readonly path: string
  /**
   * Appends, in pieces of its own size; the bytes are not to be changed any more.
   * @returns undefined: more may come at once; else when it may
   * @throws DownloadError `disk-full`, also of what was appended before
   */
  write(bytes: Uint8Array): Promise<void> | undefined
  /** Tells somebody of what is in the file, until nothing of it is wanted any more; of `null` nobody. */
  follow(follower: FileFollower | null): void
  /** Resolves when everything that was appended is in the file. @throws as `write` */
  flush(): Promise<void>
  /** Forgets what was written. */
  truncate(): Promise<void>
  /** Some bytes from a place, fewer at the end. @throws as `write` */
  read(fromByte: number, bytes: number): Promise<Uint8Array>
  /** @throws as `write`, when it cannot write what is left */
  close(): Promise<void>
  /** Closes when all of it is on the disk itself. @throws as `write` */
  seal(): Promise<void>
  /** Closes, and deletes it. */
  remove(): Promise<void>
}

export interface FileFollower {
  /** So many bytes are in the file. */
  grown(bytes: number): void
  /** What is in the file is of no use any more. */
  end(): void
}

/** A call of the system for each piece that a socket gives, of 64 KiB at most, would cost as much as the network. */
const WRITE_BYTES = 512 * 1024
/** So many pieces wait in memory until the disk has taken what is before. */
const MOST_WAITING_PIECES = 4
/** The disk itself gets so much at a time while more comes: left to the end, all of a large file would be waited for. */
const SYNC_BYTES = 32 * 1024 * 1024
/** The system takes 1,024. */
const MOST_BUFFERS = 512

export interface TempFileOptions {
  /** Default: that of the file system. */
  readonly openFile?: OpenFile | undefined
  /** Written at a time; default 512 KiB. */
  readonly chunkBytes?: number | undefined
  /** It will be sealed, so the disk gets what comes meanwhile; default false. */
  readonly isSealing?: boolean
}

/**
 * @param name without folder; `.part` is added, by which those left over are found
 * @throws DownloadError `disk-full`
 */
export async function createTempFile(
  dir: string,
  name: string,
  { openFile = open, chunkBytes = WRITE_BYTES, isSealing = false }: TempFileOptions = {},
): Promise<TempFile> {
  const path = join(dir, `${name}.part`)
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL
  const handle = await openFile(path, flags, 0o600).catch(diskFailure)
  const writer = new FileWriter(handle, chunkBytes, isSealing ? SYNC_BYTES : Infinity)
  let isOpen = true
  const closeHandle = async (): Promise<void> => {
    if (!isOpen) return
    isOpen = false
    await handle.close()
  }
  return {
    path,
    write: (bytes) => writer.write(bytes),
    follow: (follower) => writer.follow(follower),
    flush: () => writer.flush(),
    async truncate() {
      await writer.drop()
      await handle.truncate(0)
    },
    async read(fromByte, bytes) {
      await writer.flush()
      const buffer = new Uint8Array(bytes)
      let done = 0
      while (done < bytes) {
        const { bytesRead } = await handle.read(buffer, done, bytes - done, fromByte + done)
        if (bytesRead === 0) break
        done += bytesRead
      }
      return buffer.subarray(0, done)
    },
    async close() {
      if (isOpen) await writer.flush()
      await writer.synced()
      await closeHandle()
    },
    async seal() {
      await writer.flush()
      await writer.synced()
      await handle.datasync().catch(diskFailure)
      await closeHandle()
    },
    async remove() {
      await writer.drop().catch(() => undefined)
      await closeHandle()
      await rm(path, { force: true })
    },
  }
}

/** Gathers what comes, and writes while more comes. */
class FileWriter {
  readonly #handle: FileHandle
  readonly #chunkBytes: number
  readonly #syncBytes: number
  #waiting: Uint8Array[] = []
  #waitingBytes = 0
  #length = 0
  #writing: Promise<void> | undefined
  #syncing: Promise<void> | undefined
  #syncedLength = 0
  #failure: { readonly error: unknown } | undefined
  #follower: FileFollower | null = null

  constructor(handle: FileHandle, chunkBytes: number, syncBytes: number) {
    this.#handle = handle
    this.#chunkBytes = chunkBytes
    this.#syncBytes = syncBytes
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    this.#throwIfFailed()
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
    if (this.#waitingBytes >= this.#chunkBytes) this.#start()
    const most = this.#chunkBytes * MOST_WAITING_PIECES
    return this.#waitingBytes >= most ? this.#ended() : undefined
  }

  follow(follower: FileFollower | null): void {
    this.#follower?.end()
    this.#follower = follower
    follower?.grown(this.#length)
  }

  async flush(): Promise<void> {
    while (this.#waitingBytes > 0 || this.#writing !== undefined) {
      this.#start()
      await this.#ended()
    }
    this.#throwIfFailed()
  }

  /** Forgets what is not written yet, and where the file ends. */
  async drop(): Promise<void> {
    this.follow(null)
    this.#waiting = []
    this.#waitingBytes = 0
    await this.#writing
    await this.#syncing
    this.#length = 0
    this.#syncedLength = 0
    this.#failure = undefined
  }

  /** Resolves when the disk is not being waited for. @throws what went wrong */
  async synced(): Promise<void> {
    await this.#syncing
    this.#throwIfFailed()
  }

  async #ended(): Promise<void> {
    await this.#writing
    this.#throwIfFailed()
  }

  #throwIfFailed(): void {
    if (this.#failure !== undefined) throw this.#failure.error
  }

  #start(): void {
    this.#writing ??= this.#writeAll()
      .catch((error: unknown) => {
        this.#failure = { error }
        this.#waiting = []
        this.#waitingBytes = 0
        this.follow(null)
      })
      .finally(() => (this.#writing = undefined))
  }

  async #writeAll(): Promise<void> {
    do {
      const buffers = this.#waiting.slice(0, MOST_BUFFERS)
      this.#waiting = this.#waiting.slice(MOST_BUFFERS)
      let left = buffers.reduce((sum, { length }) => sum + length, 0)
      this.#waitingBytes -= left
      let at: readonly Uint8Array[] = buffers
      while (left > 0) {
        const { bytesWritten } = await this.#handle.writev(at, this.#length).catch(diskFailure)
        this.#length += bytesWritten
        left -= bytesWritten
        if (left > 0) at = [Buffer.concat(at).subarray(bytesWritten)]
      }
      this.#follower?.grown(this.#length)
      this.#syncSome()
    } while (this.#waitingBytes >= this.#chunkBytes)
  }

  /** In the background: what comes meanwhile is written all the same. */
  #syncSome(): void {
    if (this.#syncing !== undefined || this.#length - this.#syncedLength < this.#syncBytes) return
    this.#syncedLength = this.#length
    this.#syncing = this.#handle
      .datasync()
      .catch(diskFailure)
      .catch((error: unknown) => {
        this.#failure = { error }
      })
      .finally(() => (this.#syncing = undefined))
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
