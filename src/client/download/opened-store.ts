import type { Config } from '../../config.ts'
import type { DownloadQueue } from '../../db/download-queues.repo.ts'
import type { BlobStore } from '../../store/blob-store.ts'
import { openBlobStore } from '../../store/open-blob-store.ts'
import { artifactStoreUri } from './artifact-store-uri.ts'

/** Opens the store of a queue for one piece of work, and closes it whatever happens. */
export async function withStore<T>(
  config: Config,
  { options }: Pick<DownloadQueue, 'options'>,
  use: (store: BlobStore) => Promise<T>,
): Promise<T> {
  const { reserveBytes } = options
  const store = await openBlobStore(options.store ?? artifactStoreUri(config), { reserveBytes })
  try {
    return await use(store)
  } finally {
    store.close()
  }
}
