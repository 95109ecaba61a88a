import type { DomainSilence } from '../core/domain-silence.ts'
import type { Exchange } from '../http/exchange-record.ts'
import type { HttpClient } from '../http/http-client.ts'
import { createExtensionSource } from '../http/reconciliation/extension-source.ts'
import type { ItemStateSource } from '../http/item-state-source.ts'
import { createItemStateSource } from '../http/reconciliation/item-states.ts'
import type { ReconciliationManifest } from '../http/reconciliation/read-manifest.ts'
import {
  createReconciliationClient,
  type ReconciliationClient,
} from '../http/reconciliation/reconciliation-client.ts'
import type { ServiceCredentials } from '../http/reconciliation/service-credentials.ts'
import type { ValueSource } from '../http/value-source.ts'
import { UsageError } from '../errors.ts'

/** A reconciliation service as one project asks it; what is learned of it lasts as long as the process. */
export interface KnownService {
  readonly client: ReconciliationClient
  /** What its items state. */
  readonly values: ValueSource
  /** What has become of its items. */
  readonly states: ItemStateSource
  readonly url: string
  /** For how long it has not answered; null when its last answer came. */
  silence: DomainSilence | null
  /**
   * Reads the manifest, once per process unless `afresh`.
   * @throws what `ReconciliationClient.manifest` throws.
   */
  manifest(
    signal: AbortSignal,
    onExchange: (exchange: Exchange) => void,
    afresh?: boolean,
  ): Promise<ReconciliationManifest>
}

export interface ServiceDirectory {
  /** @throws UsageError `unknown_service` for a name that is neither known here nor a URL. */
  find(service: string, projectId: number): KnownService
}

export interface ServiceDirectoryOptions {
  readonly http: Pick<HttpClient, 'request'>
  /** Service name → address, such as that of `sample`. */
  readonly addresses: Readonly<Record<string, string>>
  readonly credentials: ServiceCredentials
}

export function createServiceDirectory(options: ServiceDirectoryOptions): ServiceDirectory {
  const known = new Map<string, KnownService>()
  return {
    find(service, projectId) {
      const url = addressOf(service, options.addresses)
      const key = `${projectId} ${url}`
      const found = known.get(key) ?? createKnownService(options, url, projectId)
      known.set(key, found)
      return found
    },
  }
}

function createKnownService(
  { http, credentials }: ServiceDirectoryOptions,
  url: string,
  projectId: number,
): KnownService {
  const project = `project/${projectId}`
  const client = createReconciliationClient({ http, url, project, credentials })
  let read: ReconciliationManifest | undefined
  const manifest: KnownService['manifest'] = async (signal, onExchange, afresh = false) => {
    if (read === undefined || afresh) read = await client.manifest(signal, onExchange)
    return read
  }
  const values = createExtensionSource({ http, project, credentials, manifest })
  const states = createItemStateSource(client, manifest)
  return { client, values, states, url, silence: null, manifest }
}

function addressOf(service: string, addresses: Readonly<Record<string, string>>): string {
  if (/^https?:\/\//i.test(service)) return service
  const address = Object.hasOwn(addresses, service) ? addresses[service] : undefined
  if (address !== undefined) return address
  const names = Object.keys(addresses)
  throw new UsageError({
    code: 'unknown_service',
    message: `The worker knows no service "${service}"; expected a URL${names.length > 0 ? ` or one of: ${names.join(', ')}` : ''}.`,
    hint: 'Set another with: ./record-linker project set ID --service URL',
  })
}
