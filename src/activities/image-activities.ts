import { cancellationSignal } from '@temporalio/activity'
import { COMMONS } from '../core/commons/image-address.ts'
import { imageProperties } from '../core/commons/image-properties.ts'
import { MOST_IMAGE_TRIES } from '../core/item-extension.ts'
import type { RequestBooks } from '../core/limiter/permit.ts'
import type { Db } from '../db/connect.ts'
import { storeImageChecks, uncheckedImages } from '../db/image-checks.repo.ts'
import { askImage, type AskImageOptions, type ImageAnswer } from '../http/commons/ask-image.ts'
import type { Exchange } from '../http/exchange-record.ts'
import type { HttpClient } from '../http/http-client.ts'
import type { ImageActivities } from './activity-contracts.ts'
import { existingProject } from './existing-project.ts'
import { withHeartbeat } from './heartbeat.ts'
import { onceStored } from './once-stored.ts'
import { recordExchange } from './record-exchange.ts'
import { outsideFailure, withFailures } from './to-failure.ts'

/** Of one activity: two or three requests each, for a file is found along redirects. */
const IMAGES_PER_PAGE = 100
/** At a time; how many are sent is the limiter's. What it has asked when it is lost is asked again. */
const IMAGES_AT_ONCE = 4

export interface ImageActivityDeps {
  readonly db: Db
  readonly http: Pick<HttpClient, 'request'>
  readonly books: Pick<RequestBooks, 'settle'>
  /** Uniform in [0, 1). */
  readonly random: () => number
  /** Where the files are; default: Wikimedia Commons. */
  readonly commons?: string
}

export function createImageActivities(deps: ImageActivityDeps): ImageActivities {
  const { db, http, books, random, commons = COMMONS } = deps
  return {
    checkImages: ({ projectId, properties, since, renewBefore, tries }) =>
      withFailures(() =>
        withHeartbeat(async () => {
          const { service } = (await existingProject(db, projectId)).settings
          const images = imageProperties(properties)
          const question = { projectId, service, properties: images, since, renewBefore }
          const page = await uncheckedImages(db, question, IMAGES_PER_PAGE)
          if (page.length === 0) {
            // Who looks at `limits` right after it is to see all its requests.
            await books.settle()
            return { more: false, failed: 0 }
          }
          const exchanges: Exchange[] = []
          const options: AskImageOptions = {
            http,
            commons,
            project: `project/${projectId}`,
            signal: cancellationSignal(),
            onExchange: (exchange) => void exchanges.push(exchange),
          }
          const isLast = tries >= MOST_IMAGE_TRIES
          let failed = 0
          for (let from = 0; from < page.length; from += IMAGES_AT_ONCE) {
            const asked = await askAll(options, page.slice(from, from + IMAGES_AT_ONCE))
            for (const exchange of exchanges.splice(0)) {
              // Its message names the file, and is kept when the project is deleted.
              await recordExchange(db, null, { ...exchange, message: exchange.code }, [])
            }
            const checked = asked.images.filter(({ isFinal }) => isLast || isFinal)
            await onceStored(() => storeImageChecks(db, question, checked))
            failed += asked.images.length - checked.length
            if (asked.error !== undefined) throw outsideFailure(asked.error, random())
          }
          return { more: true, failed }
        }),
      ),
  }
}

interface AskedImages {
  readonly images: readonly (ImageAnswer & { readonly value: string })[]
  /** Why the others were not asked. */
  readonly error: unknown
}

/** What was answered is kept, also where we are told to wait in the middle. */
async function askAll(options: AskImageOptions, values: readonly string[]): Promise<AskedImages> {
  const settled = await Promise.allSettled(values.map((value) => askImage(options, value)))
  return {
    images: settled.flatMap((one, index) =>
      one.status === 'fulfilled' ? [{ value: values[index] ?? '', ...one.value }] : [],
    ),
    error: settled.find((one) => one.status === 'rejected')?.reason,
  }
}
