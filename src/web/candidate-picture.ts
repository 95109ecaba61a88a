/** Pictures of candidates, served from here: a browser that reviews asks no other machine. */
import { Readable } from 'node:stream'
import { artifactStoreUri } from '../client/download/artifact-store-uri.ts'
import { checkContact } from '../client/match/plan-start.ts'
import { askThroughWorker } from '../client/suggest/ask-through-worker.ts'
import { WIKIDATA_SERVICE } from '../core/wikidata/wikidata-service.ts'
import type { Project } from '../db/projects.repo.ts'
import type { BlobStore } from '../store/blob-store.ts'
import { openBlobStore } from '../store/open-blob-store.ts'
import type { fetchPicture } from '../workflows/fetch-picture.ts'
import { matchContext, type WebContext } from './web-context.ts'

/** Where items have pictures, and their files a place. */
export function hasPictures({ settings }: Project): boolean {
  return settings.service === WIKIDATA_SERVICE
}

const NO_PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" width="250" height="60"><text x="125" y="34" text-anchor="middle" font-family="sans-serif" font-size="14" fill="#808890">no picture</text></svg>`
const FRESH_S = 3_600

export function pictureServer(context: WebContext) {
  let store: Promise<BlobStore> | undefined
  return async (project: Project, item: string): Promise<Response> => {
    if (!hasPictures(project)) return noPicture()
    const match = await matchContext(context)
    checkContact(match, project, { rescore: false })
    const picture = await askThroughWorker((options) =>
      match.client.workflow.start<typeof fetchPicture>('fetchPicture', {
        ...options,
        ...(context.taskQueue === undefined ? {} : { taskQueue: context.taskQueue }),
        args: [{ projectId: project.id, item }],
      }),
    )
    if (picture === null) return noPicture()
    store ??= openBlobStore(context.artifacts ?? artifactStoreUri(context.config))
    const { open, has } = await store
    // A store of another machine: it is there, and not here.
    if ((await has(picture.sha256)) === undefined) return noPicture()
    return new Response(Readable.toWeb(open(picture.sha256)) as ReadableStream, {
      headers: {
        'Content-Type': picture.type,
        'Content-Length': String(picture.bytes),
        'Cache-Control': `private, max-age=${FRESH_S}`,
      },
    })
  }
}

function noPicture(): Response {
  return new Response(NO_PICTURE, {
    headers: { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'no-store' },
  })
}
