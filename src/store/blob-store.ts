/**
 * Where artifacts lie, by content: the name of a blob is the SHA-256 of its bytes. A blob is there whole or not at all,
 * and never changes. Kinds of stores: `openBlobStore`.
 */
import type { Readable } from 'node:stream'

/** A whole, checked file, waiting in `tempDir` to become a blob. */
export interface StagedFile {
  readonly path: string
  /** Of its bytes, small hexadecimal digits. */
  readonly sha256: string
  readonly bytes: number
  /** MIME type by its content; null: unknown. */
  readonly type: string | null
  /** All of it is on the disk itself already. */
  readonly isSealed?: boolean
}

export interface StoredBlob {
  readonly sha256: string
  readonly bytes: number
  /** When it came into the store, or was put again; ms since 1970. */
  readonly storedAtMs: number
}

export interface BlobStore {
  /** Without secrets. */
  readonly uri: string
  /** Folder of this machine where transfers write; for a store of files on its volume. */
  readonly tempDir: string
  /** Folder of the blobs on this machine, under which `blobPath` applies; null: they are elsewhere. */
  readonly localDir: string | null
  /**
   * Makes a blob of a file. The file is gone afterwards, whatever happens. To put what is there already is harmless; one
   * of another size is replaced, for it cannot be whole.
   * @throws StoreError
   */
  readonly put: (file: StagedFile) => Promise<void>
  /** @returns undefined: it is not there */
  readonly has: (sha256: string) => Promise<{ readonly bytes: number } | undefined>
  /** Its bytes; a missing one is an error of the stream. */
  readonly open: (sha256: string) => Readable
  /** Nothing happens when it is not there. */
  readonly remove: (sha256: string) => Promise<void>
  /** All blobs, in order of their hash; what else lies in the store is left out. */
  readonly list: () => AsyncIterable<StoredBlob>
  /**
   * Before a transfer: whether the disk that it is written to has room for it.
   * @param bytes expected; null: unknown, only the reserve is asked for
   * @throws StoreError of kind `disk`
   */
  readonly ensureSpace: (bytes: number | null) => Promise<void>
  readonly close: () => void
}
