/** The values that a W3C reconciliation service tells of its items (data extension). */
import { OutsideCallError } from '../../errors.ts'
import type { HttpClient } from '../http-client.ts'
import type { FetchOptions, ItemHoldings, ValueSource } from '../value-source.ts'
import { askLookups, type BatchSender } from './ask-lookups.ts'
import { batchFault } from './batch-failure.ts'
import {
  afterGoodBatch,
  afterSlowBatch,
  afterTooLargeBatch,
  startingBatchSize,
} from './batch-size.ts'
import { encodeExtension, readExtension } from './extension-protocol.ts'
import type { Question } from './lookup-result.ts'
import type { ReconciliationManifest } from './read-manifest.ts'
import { sendBatch } from './send-batch.ts'
import { authorised, type ServiceCredentials } from './service-credentials.ts'

export interface ExtensionSourceOptions {
  readonly http: Pick<HttpClient, 'request'>
  /** Whose requests these are, for fairness between projects. */
  readonly project: string
  readonly credentials: ServiceCredentials
  /** Reads the manifest, or remembers it. */
  readonly manifest: (call: FetchOptions) => Promise<ReconciliationManifest>
}

/** As many items as OpenRefine asks for at once; the manifest can make it more or less. */
const USUAL_ITEMS = 10
const MOST_ITEMS = 50

interface AskedItem extends Question {
  readonly item: string
}

/** What is learned of batch sizes holds for the life of the source; make one per service and process. */
export function createExtensionSource(options: ExtensionSourceOptions): ValueSource {
  const { http, project, credentials } = options
  let size = startingBatchSize()

  return {
    async fetchValues(ids, properties, fetch) {
      const manifest = await options.manifest(fetch)
      if (!manifest.offersExtension) throw noExtension(manifest.name)
      const sender: BatchSender<AskedItem, ItemHoldings> = {
        batchSize: () => Math.min(manifest.batchSize ?? USUAL_ITEMS, MOST_ITEMS, size.limit),
        async send(group) {
          const items = group.map(({ item }) => item)
          const open = encodeExtension(manifest.endpoint, items, properties)
          const request = {
            ...authorised(open, manifest.authentication, credentials),
            signal: fetch.signal,
            project,
          }
          const read = (bodyText: string) => readExtension(bodyText, items, properties)
          return (await sendBatch(http, request, read, fetch.onExchange)).reading
        },
        answered(count) {
          size = afterGoodBatch(size, count)
        },
        failed(count, error) {
          const fault = batchFault(error)
          if (fault === 'too_large') size = afterTooLargeBatch(size, count)
          if (fault === 'slow') size = afterSlowBatch(size, count)
        },
      }
      const asked = ids.map((item, id): AskedItem => ({ id, item }))
      await askLookups(sender, asked, (results) =>
        fetch.onAnswer(results.map((result) => ({ ...result, id: ids[result.id] ?? '' }))),
      )
    },
  }
}

function noExtension(name: string): OutsideCallError {
  return new OutsideCallError({
    kind: 'endpoint',
    code: 'no_data_extension',
    message: `The service "${name}" does not tell what its items state: its manifest has no "extend".`,
    hint: 'Values can be fetched of services with data extension only.',
  })
}
