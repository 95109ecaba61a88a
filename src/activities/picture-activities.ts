/** Pictures of candidates for people who review: each request through the limiter of its host, each file once. */
import { randomUUID } from 'node:crypto'
import { cancellationSignal } from '@temporalio/activity'
import { COMMONS, imageAddress } from '../core/commons/image-address.ts'
import { IMAGE } from '../core/wikidata/item-needs.ts'
import type { ArtifactPlan } from '../core/download/artifact-plan.ts'
import { defaultQueueOptions } from '../core/download/queue-options.ts'
import { isShownType, type Picture, PICTURE_WIDTH_PX } from '../core/picture.ts'
import type { Db } from '../db/connect.ts'
import { heldPictures } from '../db/item-pictures.repo.ts'
import { storeValues } from '../db/item-values.repo.ts'
import { DownloadError } from '../http/download/download-error.ts'
import { isLoopback } from '../http/loopback.ts'
import { lookUp, remember } from '../store/artifact-cache.ts'
import type { DownloadTools, OpenedTools } from './download-tools.ts'
import { existingProject } from './existing-project.ts'
import { onceStored } from './once-stored.ts'
import type { PictureActivities } from './picture-contract.ts'
import { recordExchange } from './record-exchange.ts'
import type { ServiceDirectory } from './service-directory.ts'
import { askOutside } from './suggest-activities.ts'
import { waitFailure } from './to-failure.ts'

export interface PictureDeps {
  readonly db: Db
  /** Its requests go before those of runs. */
  readonly services: ServiceDirectory
  readonly tools: DownloadTools
  readonly nowMs: () => number
  /** Where the files are; default: Wikimedia Commons. */
  readonly commons?: string | undefined
}

const MOST_BYTES = 4 * 1024 * 1024
const RETRY_MS = 2_000

export function createPictureActivities(deps: PictureDeps): PictureActivities {
  const { db, services, tools, nowMs, commons = COMMONS } = deps
  return {
    fetchPicture: ({ projectId, item }) =>
      askOutside(async () => {
        const { settings } = await existingProject(db, projectId)
        const { service } = settings
        const names =
          (await heldPictures(db, service, item)) ??
          (await askedPictures(services.find(service, projectId), service, item))
        const url = names
          .map((name) => imageAddress(name, commons, PICTURE_WIDTH_PX))
          .find((address) => address !== undefined)
        if (url === undefined) return null
        const opened = await tools.open(pictureOptions(commons))
        const plan: ArtifactPlan = {
          resolver: 'commons',
          url,
          expected: { types: ['image/*'], maxBytes: MOST_BYTES },
        }
        return await pictureOf(opened, plan, `project/${projectId}`)
      }),
  }

  async function askedPictures(
    known: ReturnType<ServiceDirectory['find']>,
    service: string,
    item: string,
  ): Promise<readonly string[]> {
    await known.values.fetchValues([item], [IMAGE], {
      languages: ['en'],
      signal: cancellationSignal(),
      onAnswer: async (answers) => {
        const answered = answers.flatMap((one) => (one.status === 'answered' ? [one] : []))
        await onceStored(() => storeValues(db, service, answered))
      },
      onExchange: (exchange) => recordExchange(db, null, exchange, []),
    })
    return (await heldPictures(db, service, item)) ?? []
  }

  async function pictureOf(
    { store, fetcher }: OpenedTools,
    plan: ArtifactPlan,
    project: string,
  ): Promise<Picture | null> {
    const found = await lookUp(db, store, { request: plan, nowMs: nowMs() })
    // One that is stale is good enough to be looked at.
    if (found.kind !== 'none') return shown(found.entry)
    try {
      const body = await fetcher.fetch(plan, {
        signal: cancellationSignal(),
        project,
        attempt: 1,
        token: `picture-${randomUUID()}`,
        takeSlots: async () => () => undefined,
        onProgress: () => undefined,
        onExchange: () => undefined,
      })
      if (body.kind !== 'body') return null
      const { tempPath: path, sha256, bytes, detectedType: type, status, headers, finalUrl } = body
      await store.put({ path, sha256, bytes, type })
      const { origin, pathname } = new URL(plan.url)
      const shownUrl = `${origin}${pathname}`
      const answer = { status, headers, isRedirected: finalUrl !== shownUrl }
      const call = { request: plan, nowMs: nowMs(), answer, shownUrl, finalUrl }
      await db.transaction().execute((tx) => remember(tx, store, call, { sha256, bytes, type }))
      return shown({ sha256, bytes, type })
    } catch (error) {
      if (!(error instanceof DownloadError)) throw error
      if (error.kind === 'permanent') return null
      throw waitFailure(error.code, error.message, error.retryAfterMs ?? RETRY_MS)
    }
  }
}

function shown({
  sha256,
  bytes,
  type,
}: Picture | (Omit<Picture, 'type'> & { type: string | null })) {
  return isShownType(type) ? { sha256, bytes, type } : null
}

/** Files on this machine are only asked for where Commons itself is there, as in tests. */
function pictureOptions(commons: string) {
  const url = new URL(commons)
  if (!isLoopback(url)) return defaultQueueOptions
  return {
    ...defaultQueueOptions,
    allowedAddresses: ['127.0.0.0/8'],
    allowedPorts: [Number(url.port)],
  }
}
