import type { Client } from '@temporalio/client'
import type { Picture } from '../../core/picture.ts'
import type { FoundItems } from '../../core/suggestions.ts'
import type { fetchPicture } from '../../workflows/fetch-picture.ts'
import type { searchItems } from '../../workflows/suggest.ts'
import { askThroughWorker } from './ask-through-worker.ts'

export interface AskingClient {
  readonly client: Client
  /** Of the workers that do the work; default `record-linker`. */
  readonly taskQueue?: string | undefined
}

/** Tasks of the engine too are taken before those of runs. */
const FIRST = { priorityKey: 1 }

/**
 * Items by the name that a search of the database holds.
 * @throws UsageError for what no waiting mends; UnavailableError `service_not_answering`
 */
export async function askForItems(asking: AskingClient, searchId: number): Promise<FoundItems> {
  return askThroughWorker((options) =>
    asking.client.workflow.start<typeof searchItems>('searchItems', {
      ...options,
      ...queueOf(asking),
      priority: FIRST,
      args: [{ searchId }],
    }),
  )
}

/** The picture of an item, in the store from then on; null: there is none. @throws as `askForItems` */
export async function askForPicture(
  asking: AskingClient,
  input: { readonly projectId: number; readonly item: string },
): Promise<Picture | null> {
  return askThroughWorker((options) =>
    asking.client.workflow.start<typeof fetchPicture>('fetchPicture', {
      ...options,
      ...queueOf(asking),
      args: [input],
    }),
  )
}

function queueOf({ taskQueue }: AskingClient) {
  return taskQueue === undefined ? {} : { taskQueue }
}
