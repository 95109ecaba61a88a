import { Readable } from 'node:stream'
import type { Config } from '../../config.ts'
import type { Picture } from '../../core/picture.ts'
import type { BlobStore } from '../../store/blob-store.ts'
import { openBlobStore } from '../../store/open-blob-store.ts'
import { artifactStoreUri } from '../download/artifact-store-uri.ts'

/** Where workers put pictures, to be read; it is opened at the first use. @param uri default: in the home of this program */
export function pictureStore(config: Pick<Config, 'home'>, uri?: string) {
  let opened: Promise<BlobStore> | undefined
  /** @returns undefined where it is not there: the worker may be on another machine */
  return async ({ sha256 }: Picture): Promise<ReadableStream | undefined> => {
    opened ??= openBlobStore(uri ?? artifactStoreUri(config)).catch((error: unknown) => {
      // One that could not be opened is tried again.
      opened = undefined
      throw error
    })
    const store = await opened
    if ((await store.has(sha256)) === undefined) return undefined
    return Readable.toWeb(store.open(sha256)) as ReadableStream
  }
}
