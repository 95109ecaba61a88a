import type { HttpClient } from '../http/http-client.ts'
import { createExtensionSource } from '../http/reconciliation/extension-source.ts'
import { createItemStateSource } from '../http/reconciliation/item-states.ts'
import type { ReconciliationManifest } from '../http/reconciliation/read-manifest.ts'
import {
  createReconciliationClient,
  defaultBatchSize,
} from '../http/reconciliation/reconciliation-client.ts'
import type { ServiceCredentials } from '../http/reconciliation/service-credentials.ts'
import { suggestProperties } from '../http/reconciliation/suggest-properties.ts'
import { tellExchanges } from '../http/tell-exchanges.ts'
import type { KnownService, ServiceCall } from './known-service.ts'

export interface ReconciliationSourceOptions {
  readonly http: Pick<HttpClient, 'request'>
  readonly url: string
  readonly project: string
  readonly credentials: ServiceCredentials
}

/** A W3C reconciliation service. */
export function createReconciliationSource(options: ReconciliationSourceOptions): KnownService {
  const { http, url, project, credentials } = options
  const client = createReconciliationClient(options)
  let read: ReconciliationManifest | undefined
  const manifest = async (
    { signal, onExchange }: ServiceCall,
    afresh = false,
  ): Promise<ReconciliationManifest> => {
    if (read === undefined || afresh) {
      read = await tellExchanges(onExchange, (tell) => client.manifest(signal, tell))
    }
    return read
  }
  return {
    url,
    silence: null,
    async check(call, afresh) {
      const about = await manifest(call, afresh)
      return { about, batchSize: about.batchSize ?? defaultBatchSize }
    },
    ask: (lookups, ask) => client.ask(lookups, ask),
    fetchItems: null,
    values: createExtensionSource({ ...options, manifest }),
    states: createItemStateSource(client, manifest),
    async suggestProperties(text, _, call) {
      const { suggestPropertyUrl, authentication } = await manifest(call, true)
      if (suggestPropertyUrl === null) return null
      return tellExchanges(call.onExchange, (onExchange) =>
        suggestProperties(http, suggestPropertyUrl, text, {
          signal: call.signal,
          project,
          authentication,
          credentials,
          onExchange,
        }),
      )
    },
  }
}
